/** An unfolded part of the conversation leaves the pressed control where it is, with the focus in view. */
import type { Locator } from "@playwright/test";
import { helmet } from "../support/cards.ts";
import { expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

const placeOf = async (control: Locator) => Math.round((await control.boundingBox())?.y ?? Number.NaN);

/** Presses the control by keyboard and expects it to stay in its place, in view. */
async function expectToStay(control: Locator, press: () => Promise<void>): Promise<void> {
  const before = await placeOf(control);
  await press();
  await expect(control.locator("..")).toHaveJSProperty("open", true);
  await expect.poll(() => placeOf(control)).toBeLessThanOrEqual(before);
  // Only the bar that appears below the list may push the control up, by less than its own height.
  expect(await placeOf(control)).toBeGreaterThan(before - 60);
  await expect(control).toBeInViewport({ ratio: 1 });
  await expect(control).toBeFocused();
}

test("keeps the line of twenty sources in place", { tag: "@phone" }, async ({ chat }) => {
  const chatId = await chat.start();
  const url = "https://shop.tarn-and-tread.example/help/returns";
  const citations = Array.from({ length: 20 }, (_, index) => ({
    title: `Source ${index}`,
    url,
    updatedAt: null,
  }));
  await lab.reply(chatId, { text: "Everything about returns.", citations });
  const reply = await chat.ask("everything about returns");
  const line = reply.locator("summary").filter({ hasText: "20 sources" });
  await expectToStay(line, () => line.press("Enter"));
  await line.press("Enter");
  await expect(line).toBeInViewport({ ratio: 1 });
});

test("scrolls a row of products by keyboard to its last card", { tag: "@phone" }, async ({ chat, page }) => {
  const chatId = await chat.start();
  const products = ["Kestrel", "Merlin", "Hobby"].map((title) => ({ ...helmet, id: title, title }));
  await lab.reply(chatId, { text: "Three helmets.", products });
  const reply = await chat.ask("helmets");
  const row = reply.getByRole("list", { name: "Products" });
  await row.focus();
  const last = row.getByRole("listitem").filter({ hasText: "Hobby" });
  await expect(last).not.toBeInViewport({ ratio: 1 });
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(last).toBeInViewport({ ratio: 0.95 });
});

test("scrolls a row of products by its buttons, which only a mouse over it shows", async ({
  chat,
  hasTouch,
}) => {
  test.skip(hasTouch, "fingers scroll the row itself");
  const chatId = await chat.start();
  const products = ["Kestrel", "Merlin", "Hobby"].map((title) => ({ ...helmet, id: title, title }));
  await lab.reply(chatId, { text: "Three helmets.", products });
  const reply = await chat.ask("helmets");
  const [previous, next] = ["Previous", "Next"].map((name) => reply.getByRole("button", { name }));
  if (previous === undefined || next === undefined) throw new Error("The row has no buttons");
  const last = reply.getByRole("listitem").filter({ hasText: "Hobby" });
  await chat.composer.hover();
  await expect(next).toBeHidden();
  await reply.getByRole("list", { name: "Products" }).hover();
  await expect(previous).toBeHidden();
  await next.click();
  await expect(last).toBeInViewport({ ratio: 0.95 });
  await expect(next).toBeHidden();
  // Escape still closes the panel, because no button has taken the focus along.
  await expect(chat.panel.locator(":focus")).toBeVisible();
  await previous.click();
  await expect(last).not.toBeInViewport({ ratio: 0.95 });
});
