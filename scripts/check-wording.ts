/**
 * Checks the rules of CONTRIBUTING.md, "Voice", that a script can see: commit subjects, test titles without
 * bare case numbers, and lines of at most 110 columns in documents and comments.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./launcher/environment.ts";

const longestLine = 110;
const longestSubject = 72;
/** Older commits were written before the rule. */
const subjectsSince = "2026-11-22T21:00:00Z";

const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
const faults: string[] = [];

const subject = /^(feat|fix|refactor|perf|test|docs|build|ci|chore|style|revert)(\([\w./,-]+\))?!?: \S/;
for (const text of git("log", "--no-merges", `--since=${subjectsSince}`, "--format=%s").filter(Boolean)) {
  if (text.length > longestSubject) faults.push(`commit subject over ${longestSubject} characters: ${text}`);
  if (!subject.test(text)) faults.push(`commit subject is not "type(scope): imperative": ${text}`);
}

const title = /^\s*(?:test|it|describe)(?:\.\w+)*\(\s*["'`](.*)/;
const caseNumber = /#\d|^[A-Z]\d+\b/;
const comment = /^\s*(?:\/\/|\/\*\*?|\*)\s/;
/** Tables, links and code cannot be wrapped. */
const cannotWrap = /^\s*(?:\||\[[^\]]+\]:|!\[|<)|https?:\/\/\S{60,}|biome-ignore/;

for (const path of git("ls-files", "*.ts", "*.tsx", "*.css", "*.mjs", "*.md")) {
  if (path === "" || path.startsWith("lib/shop/help/") || path === "docs/public-surface.md") continue;
  let isCode = false;
  for (const [index, line] of readFileSync(join(root, path), "utf8").split("\n").entries()) {
    const at = `${path}:${index + 1}`;
    const isDocument = path.endsWith(".md");
    if (isDocument && line.trimStart().startsWith("```")) isCode = !isCode;
    const isProse = isDocument ? !isCode : comment.test(line);
    if (isProse && line.length > longestLine && !cannotWrap.test(line)) {
      faults.push(`${at}: ${line.length} columns`);
    }
    const words = title.exec(line)?.[1];
    if (words !== undefined && caseNumber.test(words)) faults.push(`${at}: a case number in a title`);
  }
}

for (const fault of faults) console.error(fault);
console.log(`wording: ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
