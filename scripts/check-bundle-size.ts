/**
 * Checks the size of the chat's own JavaScript against its budget (gzip, without React and Next): the part of
 * every page before the chat opens, the part that opening adds, and the part that sends messages, which loads
 * right after it. Bundles the chat alone, because Next
 * merges it with other parts of the page; modules that always load together are one file.
 * `e2e/journeys/loading.spec.ts` measures the bytes that a browser loads from the build.
 * The budgets of `<shop-chat>` also cover styles and Preact. Nothing of the server may be in a bundle, and no
 * schema library: the answers of our own BFF are already validated, and zod would be most of the chat's size.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Plugin } from "rolldown";
import {
  bundleElement,
  bundleInGroups,
  chatModules,
  elementEntry,
  loadedWith,
} from "./package/bundle-element.ts";

const kilobyte = 1_000;
const widgetEntry = "components/chat/chat-widget.tsx";
const appEntry = "components/chat/chat-app.tsx";
const english = "components/chat/i18n/en.json";
const sendingEntry = "lib/engine/delivery/delivery-loop.ts";
const budgets = { launcher: 4.5 * kilobyte, openedPanel: 44.9 * kilobyte, sending: 6.5 * kilobyte };
const elementBudgets = { button: 7.3 * kilobyte, opened: 66.7 * kilobyte };

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

const chunks = await bundleInGroups(
  {
    input: { launcher: widgetEntry },
    external: [/^(?:react|react-dom|next)(?:\/|$)/],
    preserveEntrySignatures: "allow-extension",
    plugins: [cssModules],
  },
  { chunkFileNames: "[name].js" },
  { button: [widgetEntry], chat: [appEntry] },
);

const launcher = loadedWith(chunks, [widgetEntry]);
const opened = [...loadedWith(chunks, [appEntry, english])].filter((chunk) => !launcher.has(chunk));
const before = new Set([...launcher, ...opened]);
const sending = [...loadedWith(chunks, [sendingEntry])].filter((chunk) => !before.has(chunk));

const isLight = [
  report("chat, until it is opened", [...launcher], budgets.launcher),
  report("chat, opening it adds", opened, budgets.openedPanel),
  report("chat, sending adds", sending, budgets.sending),
].every(Boolean);
for (const chunk of chunks)
  if (!before.has(chunk) && !sending.includes(chunk))
    console.log(`  on use: ${chunk.name} ${gzipped(chunk)} bytes`);

const parts = await bundleElement();
const button = loadedWith(parts, [elementEntry]);
const elementOpened = loadedWith(parts, [elementEntry, ...chatModules, english]);
const isElementLight = [
  report("<shop-chat>, until it is opened", [...button], elementBudgets.button),
  report("<shop-chat>, opened, in all", [...elementOpened], elementBudgets.opened),
].every(Boolean);
const notForBrowsers = [...chunks, ...parts]
  .flatMap(({ sources }) => sources)
  .filter((source) => /^lib\/(?:bff|shop)\/|^node_modules\/zod\//.test(source));
for (const source of notForBrowsers) console.error(`${source} is in a bundle for browsers`);
if (!isLight || !isElementLight || notForBrowsers.length > 0) process.exit(1);

function gzipped(chunk: { code: string }): number {
  return gzipSync(chunk.code, { level: 9 }).length;
}

function report(what: string, parts: readonly { code: string }[], budget: number): boolean {
  const size = parts.reduce((sum, chunk) => sum + gzipped(chunk), 0);
  const verdict = size <= budget ? "within" : "BEYOND";
  console.log(`${what}: ${size} bytes gzip, ${verdict} the budget of ${Math.round(budget)}`);
  return size <= budget;
}
