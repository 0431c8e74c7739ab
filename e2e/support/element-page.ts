/** A page with `<shop-chat>` at the shop's address, under a strict Content Security Policy. */
import type { Page } from "@playwright/test";
import { rolldown } from "rolldown";
import { adoptedSheets, bundleElement } from "../../scripts/package/bundle-element.ts";

/** `trusted-types 'none'` makes a browser throw where a script assigns HTML. */
const strictPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' blob:; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

/** The element's files, as `npm run package` makes them. Bundled once in each worker. */
let bundled: ReturnType<typeof bundleElement> | undefined;

export interface ElementPage {
  /** The element's attributes, besides the names of agent and shop. */
  attributes?: string;
  /** HTML around it; `$chat` stands for the element. */
  body?: string;
  /** JSON files of the page's origin, by path. */
  files?: Readonly<Record<string, object>>;
  /** The Content Security Policy; null for none. */
  policy?: string | null;
}

export const elementPath = "/page-with-element";

export async function openElementPage(
  page: Page,
  { files = {}, policy = strictPolicy, ...html }: ElementPage = {},
): Promise<void> {
  bundled ??= bundleElement();
  for (const { name, code } of await bundled)
    await page.route(`**/api/chat/${name}`, (route) =>
      route.fulfill({ contentType: "text/javascript; charset=utf-8", body: code }),
    );
  for (const [path, file] of Object.entries(files))
    await page.route(`**${path}`, (route) => route.fulfill({ json: file }));
  await page.route(`**${elementPath}`, (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      headers: policy === null ? {} : { "Content-Security-Policy": policy },
      body: elementPageHtml(html),
    }),
  );
  await page.goto(elementPath);
}

export function elementPageHtml({
  attributes = "",
  body = "<main><h1>A shop</h1>$chat</main>",
}: Pick<ElementPage, "attributes" | "body"> = {}): string {
  const element = `<shop-chat agent-name="Wren" shop-name="Tarn &amp; Tread" ${attributes}></shop-chat>`;
  return `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<title>A shop</title>
<script type="module" src="/api/chat/embed.js"></script>
${body.replace("$chat", element)}
</html>`;
}

/** The customer's texts as the server has stored them. */
export async function storedTexts(page: Page, chatId: string): Promise<string[]> {
  return page.evaluate(async (id) => {
    const answer = await fetch(`/api/chat/chats/${id}/messages`, { headers: { "X-Chat-Client": "1" } });
    const { items }: { items: { role: string; text: string }[] } = await answer.json();
    return items.filter(({ role }) => role === "visitor").map(({ text }) => text);
  }, chatId);
}

/** The names of what the browser stores for the page: cookies, and entries of both storages. */
export async function leftIn(page: Page): Promise<string[]> {
  const cookies = (await page.context().cookies()).map(({ name }) => name);
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  return [...cookies, ...stored];
}

/** The script of a page on React, in one file. */
export async function bundleReactPage(input: string): Promise<string> {
  const made = await rolldown({
    input,
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    plugins: [adoptedSheets],
    onLog: (_level, log, handle) => {
      if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle("warn", log);
    },
  });
  const { output } = await made.generate({ format: "esm", codeSplitting: false });
  return output[0].code;
}
