/** Browsers without the `scrollend` event, such as Safari before 26.2. */
import { expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

test("keeps the scroll position after an interrupted jump while a reply grows", async ({ chat, page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLElement.prototype, "onscrollend");
    window.addEventListener("scrollend", (event) => event.stopImmediatePropagation(), { capture: true });
  });
  await page.clock.install();
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "A line of many.\n".repeat(90) });
  const read = chat.messages("agent").nth(1);
  await chat.ask("tell me more");
  const deltas = ["words ", "and more.\n".repeat(10), "The end."];
  await lab.reply(chatId, { text: deltas.join(""), deltas, holdsAfter: 1 });
  await chat.send("and more");
  await expect(chat.unfinishedReply).toContainText("words");

  const list = chat.panel.getByRole("region", { name: "Messages" });
  await list.evaluate((element) => element.scrollTo({ top: -1_200, behavior: "instant" }));
  const jump = chat.jumpButton;
  await list.evaluate(
    async (element, button) => {
      button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      while (element.scrollTop < -1_150) await new Promise(requestAnimationFrame);
      element.scrollTo({ top: -900, behavior: "instant" });
    },
    await jump.elementHandle(),
  );
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.clock.fastForward(1_000);
  const top = () => read.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await top();
  await lab.continueReply(chatId);
  await expect(chat.lastReply()).toContainText("The end.");
  await chat.settled();
  expect(await top()).toBe(before);
});
