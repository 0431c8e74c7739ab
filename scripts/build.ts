/**
 * The production build. Next's telemetry is off, so that a build contacts no server. Afterwards, the demo's
 * agent learns, so that no start has to.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../processes/root.ts";

function run(...args: string[]): void {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

run(join("node_modules", "next", "dist", "bin", "next"), "build");
const lesson = join("agent", "learn.ts");
// The agent can be left out.
if (existsSync(join(root, lesson))) run(lesson);
