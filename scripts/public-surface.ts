/**
 * Checks that the changelog mentions each change of the public surface since the last version, and that
 * package.json, the changelog and docs/public-surface.md name the same version. `--write` regenerates the
 * document for a new version.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collectSurface } from "./public-surface/collect.ts";
import {
  changedNames,
  latestVersion,
  readDocument,
  unmentioned,
  writeDocument,
} from "./public-surface/document.ts";
import { root } from "./root.ts";

const file = join(root, "docs", "public-surface.md");
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const now = collectSurface();
if (process.argv.includes("--write")) writeFileSync(file, writeDocument(now, version));

const documented = readDocument(readFileSync(file, "utf8"));
const findings: string[] = [];
if (latestVersion(changelog) !== version)
  findings.push(`CHANGELOG.md: its latest version is not ${version}, as in package.json`);
if (documented.version !== version)
  findings.push("docs/public-surface.md: run `node scripts/public-surface.ts --write` for the new version");
const changed = changedNames(documented.surface, now);
for (const name of unmentioned(changed, changelog))
  findings.push(`CHANGELOG.md: the public name \`${name}\` was added or removed; say so under "Unreleased"`);

for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else
  console.log(
    `public surface of ${version}: ${[...now.values()].flat().length} names, ${changed.length} changed`,
  );
