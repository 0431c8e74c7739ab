import { gzipSync } from "node:zlib";
import { expect, test } from "../support/chat-page.ts";

test("opening the chat loads no more JavaScript than its budget", { tag: "@agent" }, async ({
  chat,
  page,
}) => {
  const loaded: Promise<number>[] = [];
  await page.goto("/", { waitUntil: "networkidle" });
  page.on("response", (response) => {
    if (!new URL(response.url()).pathname.endsWith(".js")) return;
    loaded.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  await chat.launcher.click();
  await expect(chat.composer).toBeEditable();
  // Our agent answers in words alone; a card or a form would load its own.
  await chat.ask("hello");
  const weight = (await Promise.all(loaded)).reduce((sum, bytes) => sum + bytes, 0);
  expect(loaded.length).toBeGreaterThan(0);
  expect(weight).toBeLessThanOrEqual(45_000);
});
