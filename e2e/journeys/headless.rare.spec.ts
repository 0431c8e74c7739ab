/** The interface of docs/headless.md on the engine, and the widget's parts, without the widget. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { rolldown } from "rolldown";
import { adoptedSheets } from "../../scripts/package/bundle-element.ts";
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { testOwnInterface } from "../support/own-interface.ts";

const source = "examples/headless/chat.ts";

/** Bundled once in each worker, with what loads on use in the same file. */
const bundled = new Map<string, Promise<string>>();

async function bundle(input: string): Promise<string> {
  const made = await rolldown({
    input,
    resolve: { alias: { "shop-chat/headless": `${process.cwd()}/lib/engine/headless.ts` } },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    plugins: [adoptedSheets],
    onLog: (_level, log, handle) => {
      if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle("warn", log);
    },
  });
  const { output } = await made.generate({ format: "esm", codeSplitting: false });
  return output[0].code;
}

async function openPage(page: Page, input: string): Promise<void> {
  const code = await (bundled.get(input) ?? bundled.set(input, bundle(input)).get(input));
  await page.route("**/own-interface.js", (route) =>
    route.fulfill({ contentType: "text/javascript; charset=utf-8", body: code ?? "" }),
  );
  await page.route("**/own-interface", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: '<!doctype html><html lang="en"><title>A shop</title><script type="module" src="/own-interface.js"></script>',
    }),
  );
  await page.goto("/own-interface");
}

test("has at most 60 lines", () => {
  const lines = readFileSync(source, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(60);
});

test.describe("the interface of the document", { tag: "@ours" }, () =>
  testOwnInterface((page) => openPage(page, source)),
);

test("the list and the composer work in a host's own page", aChat, async ({ page }) => {
  await openPage(page, "e2e/support/parts-page.tsx");
  const chat = new ChatPage(page, page.locator("[data-chat-mode=page]"));
  await chat.panel.getByRole("button", { name: "Do you deliver?" }).click();
  await expect(page.getByText("Messages: 2")).toBeVisible();
  await chat.ask("hello");
  await expect(page.getByText("Messages: 4")).toBeVisible();
  await page.reload();
  await expect(chat.messages("visitor").last()).toContainText("hello");
});
