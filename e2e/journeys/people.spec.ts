/** A teammate's message finds the customer, wherever they look. */
import type { ChatPage } from "../support/chat-page.ts";
import { expect, news, test } from "../support/handoff.ts";
import { team } from "../support/lab.ts";

const withPriya = { mode: "teammate", teammate: "Priya N.", says: "Is it ready?" } as const;

test("a message that comes while the chat is closed is counted on its button", { tag: "@ours" }, async ({
  stage,
}) => {
  const { chat, chatId } = await stage.customerWith(withPriya);
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await expect(chat.launcher).toBeFocused();
  await team.write(chatId, "Hello from the team");
  await news(chat);
  await expect(chat.launcher).toContainText("Unread messages: 1");
  await chat.launcher.click();
  await expect(chat.messages("teammate")).toContainText("Hello from the team");
  await expect(chat.panel.getByText("New messages", { exact: true })).toBeVisible();
});

test("a teammate's message comes by itself while the customer looks", { tag: "@ours" }, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith(withPriya);
  await team.write(chatId, "It is ready.");
  await news(chat);
  await expect(chat.messages("teammate")).toContainText("It is ready.");
});

test("behind another tab it comes too, and at once when the customer returns", { tag: "@ours" }, async ({
  stage,
}) => {
  const { chat, chatId } = await stage.customerWith(withPriya);
  await setVisibility(chat, "hidden");
  // The look that was due while the page was still seen; the next ones keep longer distances.
  await news(chat);
  await team.write(chatId, "It is ready.");
  await chat.page.clock.fastForward(20_000);
  await expect(chat.messages("teammate")).toContainText("It is ready.", { timeout: 30_000 });
  await expect(chat.page).toHaveTitle(/^\(1 new message\) /);

  await team.write(chatId, "Come when you like.");
  await setVisibility(chat, "visible");
  await expect(chat.messages("teammate").last()).toContainText("Come when you like.", { timeout: 3_000 });
});

/** Chromium hides no page without a window system: the page is told so, as it would be by a change of tab. */
async function setVisibility({ page }: ChatPage, state: "visible" | "hidden"): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value === "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
