/**
 * Bundles `<shop-chat>` for browsers: the button, Preact with the chat, and each language.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { transform } from "lightningcss";
import {
  type InputOptions,
  type OutputAsset,
  type OutputChunk,
  type OutputOptions,
  type Plugin,
  rolldown,
} from "rolldown";
import { root } from "../../processes/root.ts";

export const elementEntry = "components/chat/element/shop-chat.ts";
/** Loaded by the first opening. */
export const chatModules = ["components/chat/widget.tsx", "components/chat/chat-app.tsx"];

const preact = (name: string) =>
  createRequire(import.meta.url)
    .resolve(`preact/${name}`)
    .replace(/\.js$/, ".mjs");

/** Preact replaces React, which alone is larger than the bundle. `shop-chat/react` uses the host's React. */
const alias = {
  react: preact("compat"),
  "react-dom": preact("compat"),
  "react-dom/client": preact("compat/client"),
  "react/jsx-runtime": preact("jsx-runtime"),
};

/** Turns CSS files into modules that adopt them (`element/sheets.ts`). */
export const adoptedSheets: Plugin = {
  name: "adopted-sheets",
  load(id) {
    if (!id.endsWith(".css")) return null;
    const { code, exports } = transform({
      filename: relative(root, id),
      code: readFileSync(id),
      minify: true,
      cssModules: id.endsWith(".module.css") ? { pattern: "[hash]-[local]" } : false,
      // Those of `browserslist` in package.json.
      targets: { chrome: 123 << 16, firefox: 124 << 16, safari: (17 << 16) | (5 << 8) },
    });
    // Sorted: their order is random, and one source must give one build.
    const names = Object.fromEntries(
      Object.entries(exports || {})
        .map(([name, { name: made }]) => [name, made])
        .sort(),
    );
    const sheets = join(root, "components/chat/element/sheets.ts");
    const text = JSON.stringify(code.toString());
    return {
      code: `import { addSheet } from ${JSON.stringify(sheets)};\naddSheet(${text});\nexport default ${JSON.stringify(names)};`,
      moduleType: "js",
      moduleSideEffects: true,
    };
  },
};

/** A default export alone: the bundler would also export each top-level name. */
const jsonModules: Plugin = {
  name: "json-modules",
  load(id) {
    if (!id.endsWith(".json")) return null;
    return { code: `export default ${readFileSync(id, "utf8")}`, moduleType: "js" };
  },
};

export interface BundledPart {
  name: string;
  code: string;
  /** Static imports, by name. */
  imports: readonly string[];
  /** Paths of its modules, from the repository's root. */
  sources: readonly string[];
}

/** The first is `embed.js`. */
export async function bundleElement(): Promise<BundledPart[]> {
  const parts = await bundleInGroups(
    {
      input: { embed: join(root, elementEntry) },
      platform: "browser",
      resolve: { alias },
      transform: { target: "es2022" },
      plugins: [adoptedSheets],
    },
    { entryFileNames: "embed.js", chunkFileNames: "embed/[name]-[hash].js" },
    { button: [elementEntry], chat: chatModules },
  );
  return parts.sort((one, other) => Number(other.name === "embed.js") - Number(one.name === "embed.js"));
}

/** Bundles twice: modules that load with a group's entries become one file. The first group goes first. */
export async function bundleInGroups(
  { transform, ...input }: InputOptions,
  output: OutputOptions,
  entriesOf: Readonly<Record<string, readonly string[]>>,
): Promise<BundledPart[]> {
  const bundle = await rolldown({
    ...input,
    plugins: [input.plugins, jsonModules],
    cwd: root,
    // As in Next's production bundles for browsers.
    transform: {
      ...transform,
      define: { "process.env.NODE_ENV": '"production"', "typeof window": '"object"' },
    },
    // Directives ("use client") have no effect here.
    onLog: (_level, log, handle) => {
      if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle("warn", log);
    },
  });
  const generate = async (groups: { name: string; test(id: string): boolean; priority: number }[]) =>
    partsOf(
      (await bundle.generate({ format: "esm", minify: true, ...output, codeSplitting: { groups } })).output,
    );
  const split = await generate([]);
  const groups = Object.entries(entriesOf).map(([name, entries], index, all) => {
    const sources = new Set([...loadedWith(split, entries)].flatMap((part) => part.sources));
    return { name, test: (id: string) => sources.has(relative(root, id)), priority: all.length - index };
  });
  const parts = await generate(groups);
  await bundle.close();
  return parts;
}

function partsOf(output: readonly (OutputChunk | OutputAsset)[]): BundledPart[] {
  return output
    .filter((file): file is OutputChunk => file.type === "chunk")
    .map(({ fileName, code, imports, moduleIds }) => ({
      name: fileName,
      code,
      imports,
      sources: moduleIds.map((id) => relative(root, id)),
    }));
}

/** The chunks of these sources, with their static imports. */
export function loadedWith(parts: readonly BundledPart[], sources: readonly string[]): Set<BundledPart> {
  const loaded = new Set(parts.filter((part) => part.sources.some((source) => sources.includes(source))));
  for (const part of loaded) {
    for (const other of parts) if (part.imports.includes(other.name)) loaded.add(other);
  }
  return loaded;
}
