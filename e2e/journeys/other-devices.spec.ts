/**
 * A signed-in customer's chats on two devices: two browsers, each in front of another server, which
 * share the demo shop's store.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";
import { lab } from "../support/lab.ts";
import { type OwnServer, signInAt, startOwnServer } from "../support/own-server.ts";

let folder = "";
let [one, other]: OwnServer[] = [];
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "customer-chats-"));
  const start = () => startOwnServer("run-listing-server.ts", { CUSTOMER_CHATS: folder });
  [one, other] = await Promise.all([start(), start()]);
});
test.afterAll(async () => {
  await Promise.all([one?.stop(), other?.stop()]);
  await rm(folder, { recursive: true });
});

/** A browser in front of this server, with the chat open. */
async function device(browser: Browser, server: OwnServer | undefined, customerId: string) {
  if (server === undefined) throw new Error("The server has not started");
  const signIn = (id: string) => signInAt(context, server, id);
  const context = await browser.newContext({ baseURL: server.origin });
  await signIn(customerId);
  const chat = new ChatPage(await context.newPage());
  await openElementPage(chat.page);
  await chat.launcher.click();
  return { chat, context, signIn, texts: chat.messages("visitor").locator("p[dir=auto]") };
}

test("finds a chat of another device, follows the answer that is being written there, and continues", {
  tag: "@ours",
}, async ({ browser }) => {
  const phone = await device(browser, one, "kenji-mori");
  await phone.chat.ask("Do you deliver to Ireland?");
  const chatId = await phone.chat.chatId();
  await lab.reply(chatId, {
    text: "Yes, within three days.",
    deltas: ["Yes, ", "within three days."],
    holdsAfter: 1,
  });
  await phone.chat.send("And how fast?");
  await expect(phone.chat.unfinishedReply).toContainText("Yes,");

  const desktop = await device(browser, other, "kenji-mori");
  await expect(desktop.texts).toHaveText(["Do you deliver to Ireland?", "And how fast?"]);
  await expect(desktop.chat.unfinishedReply.getByRole("img", { name: "Wren is answering." })).toBeVisible();
  await lab.continueReply(chatId);
  await expect(desktop.chat.lastReply()).toContainText("within three days");
  await desktop.chat.ask("Thank you");
  await expect(desktop.texts).toHaveCount(3);
  await phone.chat.page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(phone.texts).toHaveText(["Do you deliver to Ireland?", "And how fast?", "Thank you"]);

  // Neither the next customer of the desktop nor a guest learns of it.
  for (const customerId of ["lukas-brandt", null]) {
    await desktop.context.clearCookies({ name: "shop_session" });
    if (customerId !== null) await desktop.signIn(customerId);
    await desktop.chat.page.reload();
    await expect(desktop.chat.composer).toBeEditable();
    await expect(desktop.texts).toHaveCount(0);
    await desktop.chat.choose("Previous chats");
    await expect(desktop.chat.panel.getByText("Do you deliver to Ireland?")).toHaveCount(0);
  }
  await Promise.all([phone.context.close(), desktop.context.close()]);
});
