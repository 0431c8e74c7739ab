/** Compiles the kit: one JavaScript module per source file, and one style sheet. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { root } from "../../processes/root.ts";
import type { BundledPart } from "./bundle-element.ts";
import { command, entries } from "./manifest.ts";

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
    resolve: { alias: { "server-only": join(root, "node_modules/server-only/empty.js") } },
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
          [...Object.values(entries), command].map((source) => [
            source.replace(/\.tsx?$/, ""),
            join(root, source),
          ]),
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
