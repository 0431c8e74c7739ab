/**
 * Checks the size of the chat's own JavaScript against its budget (gzip, without React and Next): the button,
 * which every page loads, the chat with everything that it can show and do, and each language. Bundles the
 * chat alone, because Next merges it with other parts of the page. There is no other file: one that is gone
 * after a deployment can only keep the whole chat from loading, and the button says so.
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
const isLanguage = /^components\/chat\/i18n\/\w+\.json$/;
const budgets = { button: 4.45 * kilobyte, chat: 70 * kilobyte, language: 5.05 * kilobyte };
const elementBudgets = { button: 7.45 * kilobyte, opened: 101 * kilobyte };

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

const button = loadedWith(chunks, [widgetEntry]);
const chat = [...loadedWith(chunks, [appEntry])].filter((chunk) => !button.has(chunk));
const others = chunks.filter((chunk) => !button.has(chunk) && !chat.includes(chunk));
const languages = others.filter(({ sources }) => sources.every((source) => isLanguage.test(source)));

const isLight = [
  report("the button", button, budgets.button),
  report("the chat", chat, budgets.chat),
  ...languages.map((chunk) => report(chunk.name, [chunk], budgets.language)),
].every(Boolean);

const parts = await bundleElement();
const english = "components/chat/i18n/en.json";
const isElementLight = [
  report("<shop-chat>, its button", loadedWith(parts, [elementEntry]), elementBudgets.button),
  report(
    "<shop-chat>, opened, in all",
    loadedWith(parts, [elementEntry, ...chatModules, english]),
    elementBudgets.opened,
  ),
].every(Boolean);
const apart = others.filter((chunk) => !languages.includes(chunk));
for (const { name } of apart) console.error(`${name} is neither the button, the chat nor a language`);
const notForBrowsers = [...chunks, ...parts]
  .flatMap(({ sources }) => sources)
  .filter((source) => /^lib\/(?:bff|shop)\/|^node_modules\/zod\//.test(source));
for (const source of notForBrowsers) console.error(`${source} is in a bundle for browsers`);
if (!isLight || !isElementLight || apart.length > 0 || notForBrowsers.length > 0) process.exit(1);

function report(what: string, parts: Iterable<{ code: string }>, budget: number): boolean {
  const sizes = Array.from(parts, ({ code }) => gzipSync(code, { level: 9 }).length);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  const verdict = size <= budget ? "within" : "BEYOND";
  console.log(`${what}: ${size} bytes gzip, ${verdict} the budget of ${Math.round(budget)}`);
  return size <= budget;
}
