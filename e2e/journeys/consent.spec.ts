import type { Page } from "@playwright/test";
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";

const agree = (chat: ChatPage) => chat.panel.getByRole("button", { name: "Agree and continue" });
const writes = (page: Page) => {
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "POST" && pathname.startsWith("/api/chat/chats")) requests.push(pathname);
  });
  return requests;
};

test("asks before the first message, keeps it over a reload, and sends it once", {
  ...aChat,
  tag: ["@live", "@phone"],
}, async ({ page }) => {
  const requests = writes(page);
  const chat = new ChatPage(page);
  await page.goto("/playground?mode=floating");
  await page.getByLabel("Ask for consent").check();
  await chat.launcher.click();
  await chat.send("hello");
  const question = chat.panel.getByRole("group", { name: /We store what you write/ });
  await expect(question).toBeFocused();
  await expect(question.getByRole("link", { name: /Privacy/ })).toHaveAttribute("href", "/help/privacy");
  await expect(chat.composer).toHaveValue("hello");
  await chat.expectAccessible();
  await chat.panel.getByRole("button", { name: "Not now" }).click();
  await expect(question).toHaveCount(0);
  await chat.sendButton.click();
  await expect(question).toBeFocused();
  await page.reload();
  await expect(chat.composer).toHaveValue("hello");
  // On a phone the reopened chat covers the control.
  await page.getByLabel("Ask for consent").dispatchEvent("click");
  await chat.sendButton.click();
  expect(requests).toEqual([]);
  await agree(chat).click();
  await chat.settled();
  await expect(chat.messages("visitor").locator("p[dir=auto]")).toHaveText(["hello"]);
  await expect(question).toHaveCount(0);
  await chat.ask("thank you");
  await expect(chat.messages("visitor")).toHaveCount(2);
});

test("gives the focus to the conversation after the agreement in a part of the page", {
  ...aChat,
  tag: ["@live", "@phone", "@rare"],
}, async ({ page }) => {
  const attributes = `mode="inline" consent-text="We store what you write." consent-href="/privacy"`;
  await openElementPage(page, { attributes });
  const chat = new ChatPage(page, page.locator("section[aria-labelledby]"));
  await chat.send("hello");
  await agree(chat).click();
  await chat.settled();
  // Where the message field would raise a keyboard, the list of messages.
  await expect(chat.panel.locator("textarea:focus, section[tabindex]:focus")).toHaveCount(1);
});
