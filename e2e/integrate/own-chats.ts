import type { Page } from "@playwright/test";
import { chats, expect, test } from "../support/chat-page.ts";

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
