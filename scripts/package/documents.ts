/** Copies the documents into the package, so that links in its README lead somewhere. */
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../../processes/root.ts";

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
