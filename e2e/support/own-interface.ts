/** The interface of docs/headless.md in a browser. */
import type { Page } from "@playwright/test";
import { returnForm } from "./cards.ts";
import { aChat, expect, test } from "./chat-page.ts";
import { heldReply, lab } from "./lab.ts";

const rows = (page: Page) => page.getByRole("listitem");

export async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Starts a chat, and returns its ID. */
export async function startChat(page: Page, messages = rows(page)): Promise<string> {
  await send(page, "hello");
  await expect(messages.first()).toHaveText("hello");
  await expect(messages).toHaveCount(2);
  const read = () => page.evaluate(() => localStorage.getItem("shop-chat:1:guest:current") ?? "");
  await expect.poll(read).toContain("chat_");
  return JSON.parse(await read()).chatId;
}

/** @param open Opens the page with the interface, for a guest. */
export function testOwnInterface(open: (page: Page) => Promise<void>): void {
  test(
    "lists, sends, streams, fills in a form and keeps the chat across a reload",
    aChat,
    async ({ page }) => {
      await open(page);
      const chatId = await startChat(page);
      await lab.reply(chatId, heldReply());
      await send(page, "Tell me more");
      await expect(rows(page).last()).toContainText("word4");
      await expect(rows(page).last()).not.toContainText("word5");
      await lab.continueReply(chatId);
      await expect(rows(page).last()).toContainText("word39");

      await lab.reply(chatId, { text: "A few details, please.", collection: returnForm });
      await send(page, "I want to return it");
      await page.getByLabel("Email").fill("ana@example.com");
      await page.getByLabel("Reason").selectOption("Damaged");
      await page.getByRole("button", { name: "Send answers" }).click();
      await expect(page.getByRole("button", { name: "Send answers" })).toHaveCount(0);
      await page.reload();
      await expect(rows(page).filter({ hasText: "I want to return it" })).toHaveCount(1);
    },
  );

  test("passes the chat to the team", aChat, async ({ page }) => {
    await open(page);
    await lab.reply(await startChat(page), { text: "Shall I pass you on?", handoffOffer: true });
    await send(page, "A person, please");
    const accept = page.getByRole("button", { name: "Talk to the team" });
    await expect(accept).toBeVisible();
    // The offer asks for an address only outside the team's hours.
    const email = page.getByLabel("Email");
    if (await email.isVisible()) await email.fill("ana@example.com");
    await accept.click();
    await expect(accept).toHaveCount(0);
  });

  test("offers the one button that helps after a refusal, and sends once", aChat, async ({ page }) => {
    await open(page);
    const error = { code: "chat_limit_reached", message: "", requestId: "req_of_a_full_plan" };
    await page.route("**/api/chat/chats", (route) => route.fulfill({ status: 429, json: { error } }));
    await send(page, "hello");
    await expect(rows(page).filter({ hasText: "no more messages" })).toHaveCount(1);
    await page.unroute("**/api/chat/chats");
    await page.getByRole("button", { name: "try_again" }).click();
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).first()).toHaveText("hello");
  });
}
