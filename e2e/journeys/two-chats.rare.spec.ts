/** A page with two chats, such as a help page with its own in a layout that has the floating one. */
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage, storedTexts } from "../support/element-page.ts";

test("one of two chats in a page answers a request, and an event is told once", aChat, async ({ page }) => {
  const chat = new ChatPage(page);
  await openElementPage(page, {
    body: `<main><h1>Help</h1>$chat</main>
      <shop-chat agent-name="Wren" shop-name="Tarn &amp; Tread" mode="inline"></shop-chat>`,
  });
  await expect(page.locator("section[aria-labelledby]")).toBeVisible();
  await expect(chat.launcher).toBeVisible();
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    for (const name of ["message_sent", "reply_done", "form_opened", "offer_shown"] as const)
      window.addEventListener(`shop-chat:${name}`, () => heard.push(name));
  });
  const ask = (send: string) =>
    page.evaluate((text) => {
      window.dispatchEvent(new CustomEvent("shop-chat:open", { detail: { send: text } }));
    }, send);
  await ask("I want to return something");
  await expect(chat.panel.getByRole("region", { name: "Form" })).toBeVisible();
  // The second chat of the page is at work from now on.
  const inline = page.locator("section[aria-labelledby]").getByLabel("Your message");
  await inline.focus();
  await expect(page.locator("section[aria-labelledby] [data-role=visitor]")).toHaveCount(1);
  await ask("I would like to speak to a person.");
  await expect(chat.panel.getByRole("button", { name: "Talk to the team" })).toBeVisible();
  await chat.settled();
  expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([
    ...["message_sent", "reply_done", "form_opened"],
    ...["message_sent", "reply_done", "offer_shown"],
  ]);
  expect(await storedTexts(page, await chat.chatId())).toEqual([
    "I want to return something",
    "I would like to speak to a person.",
  ]);
});
