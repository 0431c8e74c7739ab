/**
 * `node --import …/rewrite.ts` with `FAULTS_MUTATION=name` loads the mutation's modules with their line
 * changed. Fails when a line does not occur exactly once, so that an outdated mutation does not count as
 * undetected.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";
import { root } from "../../../scripts/root.ts";
import { mutations, type Rewrite } from "./mutations.ts";

// Worker threads import this file, too, with their own environment. No mutation concerns them.
if (isMainThread) rewriteModules(process.env["FAULTS_MUTATION"] ?? "");

function rewriteModules(name: string): void {
  const mutation = mutations[name];
  if (mutation === undefined) throw new Error(`There is no mutation ${name}`);

  const byUrl = new Map<string, Rewrite[]>();
  for (const rewrite of mutation.rewrites) {
    const file = join(root, rewrite.file);
    const occurrences = readFileSync(file, "utf8").split(rewrite.find).length - 1;
    if (occurrences !== 1)
      throw new Error(`${rewrite.file} contains the line of ${name} ${occurrences} times:\n${rewrite.find}`);
    const url = pathToFileURL(file).href;
    byUrl.set(url, [...(byUrl.get(url) ?? []), rewrite]);
  }

  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const rewrites = byUrl.get(url);
      if (rewrites === undefined) return loaded;
      const source = String(loaded.source);
      return {
        ...loaded,
        source: rewrites.reduce((text, { find, replace }) => text.replace(find, () => replace), source),
      };
    },
  });
}
