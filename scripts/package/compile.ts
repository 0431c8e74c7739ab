/** Compiles the kit: one JavaScript module per source file, one style sheet, and type declarations. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { root } from "../root.ts";
import { type BundledPart, elementEntry } from "./bundle-element.ts";
import { entries } from "./entries.ts";

const classNames = "shop-chat-[hash]-[local]";

const embedFiles = join(root, "lib/bff/routes/embed-files.ts");

/** The files of `<shop-chat>` as a server module, so that any host's bundler includes them. */
function embedModule(parts: readonly BundledPart[]): string {
  const files = parts.map(({ name, code }) => [name, gzipSync(code, { level: 9 }).toString("base64")]);
  return `export const embedFiles = ${JSON.stringify(Object.fromEntries(files))};\n`;
}

/** @param parts The files of `<shop-chat>`, which replace the content of `lib/bff/routes/embed-files.ts`. */
export async function compileModules(folder: string, parts: readonly BundledPart[]): Promise<void> {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    // `server-only` would also throw in Express. The package's `browser` condition guards the server modules
    // instead.
    resolve: { alias: { "server-only": join(root, "scripts/empty-module.ts") } },
    plugins: [{ name: "embed-files", load: (id) => (id === embedFiles ? embedModule(parts) : null) }],
    css: { transformer: "lightningcss", lightningcss: { cssModules: { pattern: classNames } } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      sourcemap: true,
      minify: false,
      target: "es2022",
      cssCodeSplit: false,
      lib: {
        entry: Object.fromEntries(
          Object.values(entries).map((source) => [withoutEnding(source), join(root, source)]),
        ),
        formats: ["es"],
        cssFileName: "style",
      },
      rolldownOptions: {
        external: (id) => /^[^./\0]/.test(id) && id !== "server-only" && !id.startsWith(root),
        // Directives are preserved, because each module stays a file of its own.
        onLog: (_level, log, handle) => {
          if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle("warn", log);
        },
        output: { preserveModules: true, preserveModulesRoot: root, entryFileNames: "[name].js" },
      },
    },
  });
  // Its source map would hold the files of `<shop-chat>` once more.
  const embedded = join(folder, "lib/bff/routes/embed-files.js");
  rmSync(`${embedded}.map`);
  writeFileSync(embedded, readFileSync(embedded, "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, ""));
}

/** Writes the declarations that the entries reach, next to the compiled modules. */
export function compileTypes(folder: string): void {
  const sources = [...Object.values(entries), elementEntry];
  const made = mkdtempSync(join(root, ".package-types-"));
  try {
    const settings = join(made, "tsconfig.json");
    const compilerOptions = {
      noEmit: false,
      emitDeclarationOnly: true,
      declaration: true,
      incremental: false,
      allowJs: false,
      rootDir: root,
      outDir: join(made, "out"),
      plugins: [],
      // Declares CSS modules, as `next-env.d.ts` does, which a fresh clone lacks.
      types: ["node", "next/types/global"],
    };
    const files = sources.map((file) => join(root, file));
    writeFileSync(
      settings,
      JSON.stringify({ extends: "../tsconfig.json", compilerOptions, include: [], files }),
    );
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const { status } = spawnSync(process.execPath, [compiler, "-p", settings], {
      cwd: root,
      stdio: "inherit",
    });
    if (status !== 0) throw new Error("The types were not compiled");
    const copied = new Set<string>();
    for (const source of sources) copyTypes(join(made, "out"), folder, withoutEnding(source), copied);
  } finally {
    rmSync(made, { recursive: true });
  }
}

const imported = /(?<before>\bfrom "|\bimport\("|^import ")(?<path>\.{1,2}\/[^"]+)\.tsx?"/gm;

function copyTypes(from: string, to: string, name: string, copied: Set<string>): void {
  if (copied.has(name)) return;
  copied.add(name);
  const text = readFileSync(join(from, `${name}.d.ts`), "utf8");
  const target = join(to, `${name}.d.ts`);
  mkdirSync(dirname(target), { recursive: true });
  // Consumers resolve `./module.js` to `./module.d.ts`.
  writeFileSync(target, text.replaceAll(imported, '$<before>$<path>.js"'));
  for (const [, , path = ""] of text.matchAll(imported))
    copyTypes(from, to, join(dirname(name), path), copied);
}

export function withoutEnding(source: string): string {
  return source.replace(/\.tsx?$/, "");
}

/** Finds relative imports without a file. */
export function missingFiles(folder: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const paths = Array.from(
      text.matchAll(/(?:from|import\()\s*"(\.{1,2}\/[^"]+)"/g),
      ([, path = ""]) => path,
    );
    return paths
      .filter((path) => !existsSync(join(folder, dirname(file), path)) && !path.endsWith(".css"))
      .map((path) => `${file}: ${path}`);
  });
}
