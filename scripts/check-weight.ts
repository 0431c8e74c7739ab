/**
 * The weight of the chat's own JavaScript, against its budget (gzip, React and Next excluded): what a page carries
 * before the chat is opened, and what opening it adds. Bundles the chat alone, because a build of Next joins it with
 * other parts of the page; `e2e/journeys/weight.spec.ts` measures what a browser really loads from the build.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";

const kilobyte = 1_000;
const budgets = { launcher: 6 * kilobyte, openedPanel: 45 * kilobyte };

/** CSS modules weigh in JavaScript what their table of class names weighs, other style sheets nothing. */
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
  // As Next's own bundles for browsers.
  transform: {
    define: {
      "process.env.NODE_ENV": JSON.stringify("production"),
      "typeof window": JSON.stringify("object"),
    },
  },
  external: [/^(?:react|react-dom|next)(?:\/|$)/],
  plugins: [cssModules],
  // As in next.config.mjs.
  resolve: { alias: { "use-sync-external-store/shim": join(import.meta.dirname, "react-store.ts") } },
  // Directives ("use client") mean nothing in this bundle.
  onLog: (_level, log, handle) => {
    if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle("warn", log);
  },
});
const { output } = await bundle.generate({ format: "esm", minify: true, chunkFileNames: "[name].js" });
const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");

const launcher = loadedWith([required((chunk) => chunk.isEntry)]);
const opened = loadedWith([
  required((chunk) => chunk.facadeModuleId?.endsWith("components/chat/chat-app.tsx") ?? false),
  required((chunk) => chunk.facadeModuleId?.endsWith("components/chat/i18n/en.ts") ?? false),
]).filter((chunk) => !launcher.includes(chunk));
const later = chunks.filter((chunk) => !launcher.includes(chunk) && !opened.includes(chunk));

const isLight = [
  report("until it is opened", launcher, budgets.launcher),
  report("opening it adds", opened, budgets.openedPanel),
].every(Boolean);
for (const chunk of later) console.log(`  on use: ${chunk.fileName} ${gzipped(chunk)} bytes`);
if (!isLight) process.exit(1);

function required(is: (chunk: OutputChunk) => boolean): OutputChunk {
  const chunk = chunks.find(is);
  if (chunk === undefined) throw new Error("The bundle lacks a part that is to be weighed.");
  return chunk;
}

/** The chunks and all that they load with them. */
function loadedWith(from: readonly OutputChunk[]): OutputChunk[] {
  const loaded = new Set(from);
  for (const chunk of loaded) {
    for (const name of chunk.imports) {
      const imported = chunks.find((other) => other.fileName === name);
      if (imported !== undefined) loaded.add(imported);
    }
  }
  return [...loaded];
}

function gzipped(chunk: OutputChunk): number {
  return gzipSync(chunk.code, { level: 9 }).length;
}

function report(what: string, parts: readonly OutputChunk[], budget: number): boolean {
  const weight = parts.reduce((sum, chunk) => sum + gzipped(chunk), 0);
  const verdict = weight <= budget ? "within" : "BEYOND";
  console.log(`chat, ${what}: ${weight} bytes gzip, ${verdict} the budget of ${budget}`);
  return weight <= budget;
}
