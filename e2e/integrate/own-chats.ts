/** Checks of the chat that pass in every host. */
import type { Page } from "@playwright/test";
import { aPicture } from "../support/attachments.ts";
import { type ChatPage, chats, expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";

interface SignIn {
  signIn(page: Page, customerId: string): Promise<void>;
  signOut(page: Page): Promise<void>;
}

/** @param path The page with the chat. */
export function testOwnChats(title: string, path: string, { signIn, signOut }: SignIn): void {
  test(title, chats(3), async ({ chat, page }) => {
    const said = { guest: "I am a guest", 42: "I am number 42", "a@b.c": "My ID is an address" };
    const sees = async (texts: string[]) => {
      // A tab whose chat was open shows it open on the next page.
      await page.goto(path);
      await expect(chat.composer).toBeEditable();
      await chat.settled();
      if (texts.length === 0)
        await expect(chat.panel.getByText("Hello! What are you looking for?")).toBeVisible();
      for (const text of Object.values(said))
        await expect(chat.panel.getByText(text, { exact: true })).toHaveCount(texts.includes(text) ? 1 : 0);
      await expect(page.getByText("Sending", { exact: true })).toHaveCount(0);
    };

    await chat.open(path);
    await chat.ask(said.guest);
    await signIn(page, "42");
    await sees([]);
    await chat.ask(said[42]);
    await signOut(page);
    // Signing out makes a new guest, because another person may use the browser now.
    await sees([]);
    await signIn(page, "a@b.c");
    await sees([]);
    await chat.ask(said["a@b.c"]);
    await signIn(page, "42");
    await sees([said[42]]);
  });
}

/** Streams an answer in pieces, takes a picture, and opens it. Returns the chat. */
export async function answerAndPicture(chat: ChatPage, path: string): Promise<string> {
  const chatId = await chat.start(path);
  await lab.reply(chatId, heldReply());
  await chat.send("Tell me more");
  await expect(chat.lastReply()).toContainText("word4");
  await expect(chat.lastReply()).not.toContainText("word5");
  await lab.continueReply(chatId);
  await expect(chat.lastReply()).toContainText("word39");
  await chat.settled();
  await chat.attach(aPicture());
  await expect(chat.panel.getByRole("button", { name: "Remove hub.png" })).toBeVisible();
  await chat.ask("This is the hub");
  await chat.messages("visitor").last().getByRole("button", { name: "Open hub.png" }).click();
  const dialog = chat.page.getByRole("dialog", { name: "Picture" });
  await expect(dialog.getByRole("img", { name: "hub.png" })).toBeVisible();
  return chatId;
}
