/** Effects that React's strict mode starts twice: uploads, streams, links and messages between tabs. */

import { aNote, aPicture } from "../support/attachments.ts";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";

const allOfIt = /word0 word1 .*word39/;

test("attaches, sends and shows the first files of a page", async ({ chat }) => {
  await chat.open();
  await chat.attach(aPicture(), aNote());
  const attached = chat.panel.getByRole("list", { name: "Attached files" });
  await expect(attached.getByRole("button", { name: "Remove hub.png" })).toBeVisible();
  await expect(attached.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
  await chat.ask("Two files");
  const message = chat.messages("visitor").last();
  await expect(message.getByRole("button", { name: "Open hub.png" })).toBeVisible();
  await expect(message.getByRole("button", { name: /^notes\.txt/ })).toBeVisible();
});

test("shows the same whole reply in two tabs", async ({ chat, context }) => {
  const chatId = await chat.start();
  const other = new ChatPage(await context.newPage());
  await other.open();
  await lab.reply(chatId, heldReply());
  await chat.send("tell me");
  await expect(chat.unfinishedReply).toContainText("word3");
  await lab.continueReply(chatId);
  await Promise.all([chat.settled(), other.settled()]);
  for (const tab of [chat, other]) {
    await expect(tab.messages("visitor")).toHaveCount(2);
    await expect(tab.lastReply()).toContainText(allOfIt);
  }
});

test("opens the linked chat and starts a separate new one", async ({ chat, page }) => {
  const chatId = await chat.start();
  await page.goto(`/about?chat=${chatId}`);
  await expect(chat.messages("visitor")).toHaveCount(1);
  expect(new URL(page.url()).search).toBe("");
  await chat.panel.getByRole("button", { name: "New chat" }).click();
  await chat.ask("Do you sell pumps?");
  expect(await chat.chatId()).not.toBe(chatId);
  await page.reload();
  await expect(chat.messages("visitor")).toContainText("Do you sell pumps?");
});

test("leaves the chat's button free on a right-to-left page", async ({ chat, page }) => {
  await page.goto("/ar/help");
  await page.getByRole("button", { name: "تحدث معنا" }).click();
  await expect(chat.panel).toBeVisible();
});
