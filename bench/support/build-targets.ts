import { spawnSync } from "node:child_process";
import { root } from "../../processes/root.ts";
import type { TargetName } from "./targets.ts";

/** Builds the targets' Next app if a part measures one. */
export function buildTargets(targets: readonly TargetName[]): void {
  if (!targets.some((name) => name.startsWith("next-"))) return;
  const command = ["node_modules/next/dist/bin/next", "build", "bench/next"];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`The targets' Next app could not be built:\n${stdout}\n${stderr}`);
}
