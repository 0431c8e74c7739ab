import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../processes/root.ts";

const relativeImport = /(?<before>\b(?:from|import) ?\(?")(?<path>\.{1,2}\/[^"]+)\.tsx?"/g;

/** Consumers resolve `./module.js` to `./module.d.ts`. */
export function withJavaScriptPaths(text: string): string {
  return text.replaceAll(relativeImport, '$<before>$<path>.js"');
}

/** Writes the declarations of these files and of what they import into the folder. */
export function compileTypes(folder: string, files: readonly string[]): void {
  const settings = join(root, ".package-tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    incremental: false,
    allowJs: false,
    rootDir: root,
    outDir: folder,
    plugins: [],
    // Declares CSS modules, as `next-env.d.ts` does, which a fresh clone lacks.
    types: ["node", "next/types/global"],
  };
  writeFileSync(
    settings,
    JSON.stringify({ extends: "./tsconfig.json", compilerOptions, include: [], files }),
  );
  try {
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    execFileSync(process.execPath, [compiler, "-p", settings], { cwd: root, stdio: "inherit" });
  } finally {
    rmSync(settings);
  }
  for (const file of globSync("**/*.d.ts", { cwd: folder })) {
    const path = join(folder, file);
    const text = withJavaScriptPaths(readFileSync(path, "utf8"));
    // An import for its effect declares nothing, and TypeScript 6 looks for the types of a style sheet.
    writeFileSync(path, text.replaceAll(/^import "[^"]+";\n/gm, ""));
  }
}

/** Declares the English texts, whose type is that of each language: the package has no JSON. */
export function declareTexts(folder: string): void {
  const english = readFileSync(join(root, "components/chat/i18n/en.json"), "utf8");
  const type = english.trimEnd().replaceAll(/: "(?:[^"\\]|\\.)*"/g, ": string");
  const texts = join(folder, "components/chat/i18n");
  writeFileSync(join(texts, "en.d.ts"), `declare const texts: ${type};\nexport default texts;\n`);
  const language = join(texts, "language.d.ts");
  writeFileSync(language, readFileSync(language, "utf8").replace('from "./en.json"', 'from "./en.js"'));
}
