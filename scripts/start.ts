import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../processes/root.ts";
import { launch } from "./launch.ts";
import { sourceFiles } from "./source-files.ts";

const build = join(root, process.env["NEXT_DIST_DIR"] ?? ".next", "BUILD_ID");
if (!existsSync(build)) {
  console.error("There is no production build yet. Run `npm run build` first.");
  process.exit(1);
}

const settings = "instrumentation.ts,proxy.ts,next.config.mjs,tsconfig.json,package.json,package-lock.json";
const newer = sourceFiles(`{{app,components,lib,public}/**/*.*,${settings}}`).find(
  (file) => !/\.test\.tsx?$|README\.md$/.test(file) && changedAt(join(root, file)) > changedAt(build),
);
// A restored or copied build may have another time, so this is no proof.
if (newer !== undefined)
  console.warn(`The production build is older than ${newer}. If you have changed it, run \`npm run build\`.`);

await launch("start");

function changedAt(path: string): number {
  return statSync(path).mtimeMs;
}
