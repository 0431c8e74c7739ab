import { aChat, expect, test } from "../support/chat-page.ts";

test("fills a phone's screen, traps the focus and returns it", aChat, async ({ chat, page }) => {
  await chat.open();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  // The panel slides in.
  await expect.poll(() => chat.panel.boundingBox()).toEqual({ x: 0, y: 0, width, height });
  expect(await page.evaluate(() => document.querySelector("dialog")?.matches(":modal"))).toBe(true);
  await chat.ask("hello");
  await chat.expectAccessible();
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await expect(chat.launcher).toBeFocused();
});

test("does not scroll horizontally at 320 pixels", aChat, async ({ chat, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await chat.open();
  await chat.ask("which helmets do you have?");
  expect(await chat.panel.evaluate((panel) => panel.scrollWidth)).toBeLessThanOrEqual(320);
  await chat.panel.getByRole("button", { name: "More" }).click();
  const menu = await page.getByRole("menu").boundingBox();
  expect(menu?.x ?? -1).toBeGreaterThanOrEqual(0);
});
