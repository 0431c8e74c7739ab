/** Packs the packages, with the documents that their READMEs link to. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { root } from "../../processes/root.ts";

interface Manifest {
  version: string;
  license: string;
  engines: { node: string };
  dependencies: Record<string, string>;
}

export const repository: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/**
 * Names a build by its commit and its content, such as `g8e50526.h1a2b3c4`, because npm takes a rebuilt
 * package of the same version for the installed one. A downloaded archive has no commit.
 */
function buildName(folder: string): string {
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

const packageImport =
  /(?:^import |^export [^"]*from |\bfrom |\bimport\(|\brequire\.resolve\(|\b(?:require|load)Optional\()\s*(?:\/\*.*?\*\/\s*)*"(@?[a-z][^"\s]*)"/gm;

/** The packages that the folder's modules import, with the repository's versions as ranges. */
export function importedPackages(folder: string): Record<string, string> {
  const names = globSync("**/*.js", { cwd: folder })
    .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(packageImport)])
    .map(([, name = ""]) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"))
    .filter((name) => !name.startsWith("node:") && !builtinModules.includes(name));
  return Object.fromEntries(
    [...new Set(names)].sort().map((name) => {
      const version = repository.dependencies[name];
      if (version === undefined) throw new Error(`A package imports ${name}, which is not a dependency`);
      return [name, `^${version}`];
    }),
  );
}

/** Writes the manifest into the folder and packs it as `dist/NAME-VERSION.tgz` and `dist/NAME.tgz`. */
export function npmPack(folder: string, manifest: { name: string } & Record<string, unknown>): void {
  const version = `${repository.version}-${buildName(folder)}`;
  const { license } = repository;
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ ...manifest, version, license, type: "module" }, null, 2)}\n`,
  );
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", join(root, "dist")], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename, size, entryCount }] = JSON.parse(packed);
  // For examples/, whose manifests cannot know the version.
  copyFileSync(join(root, "dist", filename), join(root, "dist", `${manifest.name}.tgz`));
  console.log(`dist/${filename}: ${entryCount} files, ${Math.round(size / 1000)} kB`);
}

const files = ["LICENSE", "CHANGELOG.md", "docs/pictures/architecture.svg", "docs/pictures/phone-dark.webp"];

export function copyDocuments(folder: string): void {
  const pages = globSync(["docs/*.md", "docs/deploy/*", "docs/decisions/*.md"], { cwd: root });
  for (const file of [...files, ...pages]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  copyFileSync(join(root, "docs", "package.md"), join(folder, "README.md"));
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  writeFileSync(join(folder, "README.md"), readme.replaceAll("](", "](docs/").replaceAll("](docs/../", "]("));
  for (const page of ["README.md", ...pages.filter((file) => file.endsWith(".md"))])
    writeFileSync(join(folder, page), withoutDeadLinks(folder, page));
}

/** Leaves the text of links to files that only the repository has. */
export function withoutDeadLinks(folder: string, page: string): string {
  const text = readFileSync(join(folder, page), "utf8");
  return text.replaceAll(
    /(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g,
    (link, words: string, target: string) => (existsSync(join(folder, dirname(page), target)) ? link : words),
  );
}
