/**
 * Checks at the end of every run that the build, the logs, the traces and the responses contain no key of the
 * environment (see `records.ts`).
 */
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../processes/root.ts";
import { testKeys } from "../test-keys.ts";
import { recordFiles } from "./records.ts";

const { CHAT_KEY: liveKey, SESSION_SECRET: ownSecret, E2E_RECORDS: folder = "" } = process.env;
const secrets: Record<string, string> = {
  "chat key": testKeys.chatKey,
  "team key": testKeys.teamKey,
  "session secret": testKeys.sessionSecret,
  ...(liveKey ? { "live chat key": liveKey } : {}),
  ...(ownSecret ? { "own session secret": ownSecret } : {}),
};

/** Names the secret that `what` contains and its line, without showing it. */
function findIn(what: string, bytes: Buffer): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const at = bytes.indexOf(secret);
    if (at < 0) return [];
    const line = bytes.subarray(0, at).toString("latin1").split("\n").length;
    return [`the ${name} is in ${what}, line ${line}`];
  });
}

const linesOf = (bytes: Buffer) =>
  bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");

/** @throws Error which fails the run. */
export function searchRecords(): void {
  // No program of this run has written records.
  if (folder === "" || !existsSync(folder)) return;
  const findings: string[] = [];
  const record = (kind: keyof typeof recordFiles) => {
    const file = join(folder, recordFiles[kind]);
    return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  };
  const [logs, traces, responses] = [record("logs"), record("traces"), record("responses")];
  rmSync(folder, { recursive: true });

  const files = globSync(".next/**/*", {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => entry.name === "cache",
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) findings.push(...findIn(file, readFileSync(file)));
  findings.push(...findIn("the logs", logs), ...findIn("the traces", traces));
  let bytes = 0;
  for (const line of linesOf(responses)) {
    const response: { found?: string; after?: string; bytes?: number } = JSON.parse(line);
    bytes += response.bytes ?? 0;
    if (response.found !== undefined)
      findings.push(`${response.found} is in a response, after ${JSON.stringify(response.after)}`);
  }

  const counts = `${files.length} files of the build, ${linesOf(logs).length} lines of logs, ${linesOf(traces).length} batches of traces, ${Math.round(bytes / 2 ** 20)} MiB of responses`;
  // An empty search would pass by mistake. Runs without a shop, such as the contract tests alone, have no
  // responses.
  if (responses.length > 0 && bytes === 0)
    findings.push(`the responses of a shop were not searched: ${counts}`);
  if (findings.length > 0) {
    const list = [...new Set(findings)].map((finding) => `\n    ${finding}`).join("");
    throw new Error(`KEYS OF THE ENVIRONMENT WERE FOUND (searched: ${counts}):${list}`);
  }
  process.stderr.write(`\n  No key of the environment is in ${counts}.\n`);
}
