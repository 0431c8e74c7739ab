/** The production build. Next's telemetry is off, so that a build contacts no server. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./root.ts";

const { status } = spawnSync(
  process.execPath,
  [join("node_modules", "next", "dist", "bin", "next"), "build"],
  {
    cwd: root,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    stdio: "inherit",
  },
);
process.exit(status ?? 1);
