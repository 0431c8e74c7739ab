import { gzipSync } from "node:zlib";
import { type ChatPage, expect, test } from "../support/chat-page.ts";

const budget = 45_000;

test("stays within the JavaScript budget when the chat opens, with messages too", { tag: "@agent" }, async ({
  chat,
  page,
}) => {
  await page.goto("/", { waitUntil: "networkidle" });
  const loads = scriptsOf(chat);
  await chat.launcher.click();
  await expect(chat.composer).toBeEditable();
  // A text-only reply: cards and forms would load their own scripts.
  await chat.ask("hello");
  const opening = await Promise.all(loads.splice(0));
  expect(opening.length).toBeGreaterThan(0);
  expect(sum(opening)).toBeLessThanOrEqual(budget);

  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await page.reload({ waitUntil: "networkidle" });
  loads.length = 0;
  await chat.launcher.click();
  await expect(chat.messages("visitor")).toHaveText(/hello/);
  const reopening = await Promise.all(loads);
  expect(reopening.length).toBeGreaterThan(0);
  expect(sum(reopening)).toBeLessThanOrEqual(budget);
});

test("loads the panel as soon as the launcher is pointed at", { tag: "@ours" }, async ({ chat, page }) => {
  await page.goto("/", { waitUntil: "networkidle" });
  const loads = scriptsOf(chat);
  await chat.launcher.hover();
  await expect.poll(() => loads.length).toBeGreaterThan(0);
  await expect(chat.panel).toHaveCount(0);
});

/** Records the gzip size of each script that the page loads from now on. */
function scriptsOf({ page }: ChatPage): Promise<number>[] {
  const loads: Promise<number>[] = [];
  page.on("response", (response) => {
    if (!new URL(response.url()).pathname.endsWith(".js")) return;
    loads.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  return loads;
}

function sum(bytes: readonly number[]): number {
  return bytes.reduce((total, each) => total + each, 0);
}
