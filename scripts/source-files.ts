import { globSync } from "node:fs";
import { root } from "../processes/root.ts";

/** Output of programs (.gitignore), and folders of tools. */
const notOurs =
  /(?:^|\/)(?:\.[^/]+|node_modules|dist|coverage|test-results|playwright-report|next-env\.d\.ts)$/;

/** Finds the repository's own files without git, because a downloaded archive has none. */
export function sourceFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: (path) => notOurs.test(path) }).sort();
}
