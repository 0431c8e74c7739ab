/** An upgrade: two versions behind one address, and pages that were opened before it. */

import { helmet } from "../support/cards.ts";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";
import { startTwoVersions, type TwoVersions } from "../support/two-versions.ts";

let versions: TwoVersions;
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  versions = await startTwoVersions();
});
test.afterAll(() => versions.stop());

test("loads `<shop-chat>` while two versions answer in turn", async ({ page }) => {
  versions.serve("both");
  const chat = new ChatPage(page);
  for (let load = 0; load < 5; load += 1) {
    await page.goto(versions.origin);
    await expect(chat.launcher).toBeVisible();
  }
  await lab.reply(await chat.start(versions.origin), { text: "A helmet.", products: [helmet] });
  const reply = await chat.ask("a helmet");
  await expect(reply.getByRole("list", { name: "Products" })).toBeVisible();
});

test("an open chat from before an upgrade lacks no part of its code", async ({ page }) => {
  versions.serve("old");
  const chat = new ChatPage(page);
  const chatId = await chat.start(versions.origin);
  versions.serve("new");
  await lab.reply(chatId, { text: "A helmet.", products: [helmet] });
  const reply = await chat.ask("a helmet");
  await expect(reply.getByRole("list", { name: "Products" })).toBeVisible();
  await chat.choose("Previous chats");
  await expect(chat.panel.getByText("On screen now")).toBeVisible();
});
