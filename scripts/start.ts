import { existsSync } from "node:fs";
import { join } from "node:path";
import { launch } from "./launcher/launch.ts";
import { root } from "./root.ts";

if (!existsSync(join(root, process.env["NEXT_DIST_DIR"] ?? ".next", "BUILD_ID"))) {
  console.error("There is no production build yet. Run `npm run build` first.");
  process.exit(1);
}
await launch("start");
