/** The interface of docs/headless.md, as it stands there, on the engine without the widget. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { rolldown } from "rolldown";
import { codeBlocks } from "../../scripts/guide.ts";
import { expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";
import { returnForm } from "../support/return-form.ts";

const [block] = codeBlocks(readFileSync("docs/headless.md", "utf8")).filter(({ file }) => file === "chat.ts");
const source = block?.text ?? "";

/** Bundled once in each worker, with its parts that load on use in the same file. */
let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const made = await rolldown({
    input: "chat.ts",
    resolve: { alias: { "shop-chat/headless": `${process.cwd()}/lib/engine/headless.ts` } },
    plugins: [
      {
        name: "document",
        resolveId: (id) => (id === "chat.ts" ? "\0chat.ts" : null),
        load: (id) => (id === "\0chat.ts" ? { code: source, moduleType: "ts" } : null),
      },
    ],
  });
  const { output } = await made.generate({ format: "esm", codeSplitting: false });
  return output[0].code;
}

async function openInterface(page: Page): Promise<void> {
  bundled ??= bundle();
  const code = await bundled;
  await page.route("**/own-interface.js", (route) =>
    route.fulfill({ contentType: "text/javascript; charset=utf-8", body: code }),
  );
  await page.route("**/own-interface", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: '<!doctype html><html lang="en"><title>A shop</title><script type="module" src="/own-interface.js"></script>',
    }),
  );
  await page.goto("/own-interface");
}

const rows = (page: Page) => page.getByRole("listitem");

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The chat's ID once it has been created. */
async function chatIdOf(page: Page): Promise<string> {
  const read = () => page.evaluate(() => localStorage.getItem("shop-chat:1:guest:current") ?? "");
  await expect.poll(read).toContain("chat_");
  return JSON.parse(await read()).chatId;
}

test("has at most 60 lines", () => {
  const lines = source.split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.length).toBeLessThanOrEqual(60);
});

test("lists, sends, streams, fills in a form and keeps the chat across a reload", { tag: "@ours" }, async ({
  page,
}) => {
  await openInterface(page);
  await send(page, "hello");
  await expect(rows(page).first()).toHaveText("hello");
  await expect(rows(page)).toHaveCount(2);
  await lab.reply(await chatIdOf(page), { text: "A few details, please.", collection: returnForm });
  await send(page, "I want to return it");
  await page.getByLabel("Email").fill("ana@example.com");
  await page.getByLabel("Reason").fill("damaged");
  await page.getByRole("button", { name: "Send answers" }).click();
  await expect(page.getByRole("button", { name: "Send answers" })).toHaveCount(0);
  await page.reload();
  await expect(rows(page).filter({ hasText: "I want to return it" })).toHaveCount(1);
});

test("offers the one button that helps after a refusal, and sends once", { tag: "@ours" }, async ({
  page,
}) => {
  await openInterface(page);
  const error = { code: "chat_limit_reached", message: "", requestId: "req_of_a_full_plan" };
  await page.route("**/api/chat/chats", (route) => route.fulfill({ status: 429, json: { error } }));
  await send(page, "hello");
  await expect(rows(page).filter({ hasText: "no more messages" })).toHaveCount(1);
  await page.unroute("**/api/chat/chats");
  await page.getByRole("button", { name: "try_again" }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toHaveText("hello");
});
