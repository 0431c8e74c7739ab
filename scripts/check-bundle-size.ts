/**
 * Checks the size of the chat's own JavaScript against its budget (gzip, without React and Next): the part of
 * every page before the chat opens, and the part that opening adds. Bundles the chat alone, because Next
 * merges it with other parts of the page. `e2e/journeys/loading.spec.ts` measures the bytes that a
 * browser loads from the build.
 * The budgets of `<shop-chat>` also cover styles and Preact.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { bundleElement, chatModules, elementEntry, loadedWith } from "./package/bundle-element.ts";

const kilobyte = 1_000;
const budgets = { launcher: 4.8 * kilobyte, openedPanel: 49.6 * kilobyte };
const elementBudgets = { button: 8 * kilobyte, opened: 75 * kilobyte };

/** A CSS module adds its table of class names to the JavaScript; other style sheets add nothing. */
const cssModules: Plugin = {
  name: "css-modules",
  load(id) {
    if (!id.endsWith(".css")) return null;
    if (!id.endsWith(".module.css")) return { code: "", moduleType: "js" };
    const names = new Set(
      Array.from(readFileSync(id, "utf8").matchAll(/\.([a-zA-Z][\w-]*)/g), ([, name]) => name),
    );
    const table = Object.fromEntries([...names].map((name) => [name, `aBcDeF_${name}`]));
    return { code: `export default ${JSON.stringify(table)}`, moduleType: "js" };
  },
};

const bundle = await rolldown({
  input: { launcher: "components/chat/chat-widget.tsx" },
  // As in Next's production bundles for browsers.
  transform: {
    define: {
      "process.env.NODE_ENV": JSON.stringify("production"),
      "typeof window": JSON.stringify("object"),
    },
  },
  external: [/^(?:react|react-dom|next)(?:\/|$)/],
  plugins: [cssModules],
  // Directives ("use client") have no effect in this bundle.
  onLog: (_level, log, handle) => {
    if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle("warn", log);
  },
});
const { output } = await bundle.generate({ format: "esm", minify: true, chunkFileNames: "[name].js" });
const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");

const launcher = chunksLoadedWith([required((chunk) => chunk.isEntry)]);
const opened = chunksLoadedWith([
  required((chunk) => chunk.facadeModuleId?.endsWith("components/chat/chat-app.tsx") ?? false),
  required((chunk) => chunk.facadeModuleId?.endsWith("components/chat/i18n/en.ts") ?? false),
]).filter((chunk) => !launcher.includes(chunk));
const later = chunks.filter((chunk) => !launcher.includes(chunk) && !opened.includes(chunk));

const isLight = [
  report("chat, until it is opened", launcher, budgets.launcher),
  report("chat, opening it adds", opened, budgets.openedPanel),
].every(Boolean);
for (const chunk of later) console.log(`  on use: ${chunk.fileName} ${gzipped(chunk)} bytes`);

const parts = await bundleElement();
const button = loadedWith(parts, [elementEntry]);
const elementOpened = loadedWith(parts, [elementEntry, ...chatModules, "components/chat/i18n/en.ts"]);
const isElementLight = [
  report("<shop-chat>, until it is opened", [...button], elementBudgets.button),
  report("<shop-chat>, opened, in all", [...elementOpened], elementBudgets.opened),
].every(Boolean);
if (!isLight || !isElementLight) process.exit(1);

function required(is: (chunk: OutputChunk) => boolean): OutputChunk {
  const chunk = chunks.find(is);
  if (chunk === undefined) throw new Error("The bundle lacks a part that is to be measured.");
  return chunk;
}

/** The chunks with their static imports. */
function chunksLoadedWith(from: readonly OutputChunk[]): OutputChunk[] {
  const loaded = new Set(from);
  for (const chunk of loaded) {
    for (const name of chunk.imports) {
      const imported = chunks.find((other) => other.fileName === name);
      if (imported !== undefined) loaded.add(imported);
    }
  }
  return [...loaded];
}

function gzipped(chunk: { code: string }): number {
  return gzipSync(chunk.code, { level: 9 }).length;
}

function report(what: string, parts: readonly { code: string }[], budget: number): boolean {
  const size = parts.reduce((sum, chunk) => sum + gzipped(chunk), 0);
  const verdict = size <= budget ? "within" : "BEYOND";
  console.log(`${what}: ${size} bytes gzip, ${verdict} the budget of ${budget}`);
  return size <= budget;
}
