import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";

/**
 * Names a build by its commit and its content, such as `g8e50526.h1a2b3c4`, because npm takes a rebuilt
 * package of the same version for the installed one. A downloaded archive has no commit.
 */
export function buildName(folder: string): string {
  const hash = createHash("sha256");
  for (const path of globSync("**/*.*", { cwd: folder }).sort())
    hash.update(path).update(readFileSync(join(folder, path)));
  const { status, stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: root,
    encoding: "utf8",
  });
  const content = `h${hash.digest("hex").slice(0, 7)}`;
  return status === 0 ? `g${stdout.trim()}.${content}` : content;
}
