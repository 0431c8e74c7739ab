/**
 * Checks that package-lock.json has the optional packages of every platform, which npm omits when it writes
 * the file on a machine that cannot use them, and that the licences of what runs in production are known.
 * `--licences` lists the packages by licence.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../processes/root.ts";

interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
}

/** Licences that ask for no more than their text, and the LGPL of libvips, which Next loads as a library. */
const accepted =
  /^(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|OFL-1\.1|CC-BY-4\.0|LGPL-3\.0-or-later)$/;

const lockFile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const packages: Record<string, LockedPackage> = lockFile.packages;

/** The folders in which Node looks for a package that the one at `path` imports, from the nearest. */
function foldersAbove(path: string): string[] {
  const nested = path.lastIndexOf("/node_modules/");
  return path === "" ? [""] : [`${path}/`, ...(nested < 0 ? [""] : foldersAbove(path.slice(0, nested)))];
}

const findings: string[] = [];
for (const [path, { optionalDependencies = {} }] of Object.entries(packages))
  for (const name of Object.keys(optionalDependencies))
    if (!foldersAbove(path).some((folder) => `${folder}node_modules/${name}` in packages))
      findings.push(
        `package-lock.json lacks ${name} of ${path}: remove the file and node_modules, run npm install`,
      );

const byLicence = Map.groupBy(
  Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true),
  ([, { license }]) => license ?? "unknown",
);
for (const [licence, entries] of byLicence) {
  const names = entries.map(([path]) => path.replace(/.*node_modules\//, "")).join(", ");
  const parts = licence.split(/ AND /);
  const oneOf = licence.replace(/[()]/g, "").split(" OR ");
  if (!parts.every((part) => accepted.test(part)) && !oneOf.some((part) => accepted.test(part)))
    findings.push(`package-lock.json: ${names}: is the licence ${licence} acceptable?`);
  if (process.argv.includes("--licences")) console.log(`${licence}: ${names}`);
}

for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else
  console.log(
    `lock file: ${Object.keys(packages).length} packages, ${byLicence.size} licences in production`,
  );
