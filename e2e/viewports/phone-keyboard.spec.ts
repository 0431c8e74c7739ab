/**
 * The on-screen keyboard of a phone. Headless Chromium has none, so the tests simulate its effect: iOS and
 * Android shrink the visual viewport and keep the layout; browsers that resize the content shrink both.
 */
import type { Locator } from "@playwright/test";
import { aChat, type ChatPage, expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

const keyboardHeight = 336;

/** Overrides `visualViewport`: its height above the keyboard and its offset in the page. */
async function raiseKeyboard({ page }: ChatPage, offsetTop = 0): Promise<number> {
  return page.evaluate(
    ([height, top]) => {
      const viewport = window.visualViewport;
      if (viewport === null || height === undefined || top === undefined) throw new TypeError("no viewport");
      const left = window.innerHeight - height;
      Object.defineProperty(viewport, "height", { configurable: true, get: () => left });
      Object.defineProperty(viewport, "offsetTop", { configurable: true, get: () => top });
      viewport.dispatchEvent(new Event("resize"));
      viewport.dispatchEvent(new Event("scroll"));
      return left;
    },
    [keyboardHeight, offsetTop],
  );
}

/** Removes the overriding properties. */
async function lowerKeyboard({ page }: ChatPage): Promise<void> {
  await page.evaluate(() => {
    const viewport = window.visualViewport;
    if (viewport === null) throw new TypeError("no viewport");
    Reflect.deleteProperty(viewport, "height");
    Reflect.deleteProperty(viewport, "offsetTop");
    viewport.dispatchEvent(new Event("resize"));
  });
}

async function edges(place: Locator): Promise<{ top: number; bottom: number }> {
  return place.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });
}

async function openLong(chat: ChatPage): Promise<Locator> {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: `${"A line of many.\n".repeat(60)}The last line.` });
  return chat.ask("tell me more");
}

test("fits the panel above the keyboard and keeps the end of the list in view", async ({ chat }) => {
  const reply = await openLong(chat);
  await chat.composer.tap();
  for (const offsetTop of [0, 120]) {
    const height = await raiseKeyboard(chat, offsetTop);
    await expect
      .poll(() => edges(chat.panel), `from ${offsetTop} on`)
      .toEqual({ top: offsetTop, bottom: offsetTop + height });
    const field = await edges(chat.composer);
    expect(field.bottom).toBeLessThanOrEqual(offsetTop + height);
    expect((await edges(reply)).bottom).toBeLessThanOrEqual(field.top);
    await expect(chat.panel.getByRole("button", { name: "Close chat" })).toBeInViewport();
  }
  await lowerKeyboard(chat);
  const screen = chat.page.viewportSize()?.height ?? 0;
  await expect.poll(() => edges(chat.panel)).toEqual({ top: 0, bottom: screen });
  expect((await edges(chat.composer)).bottom).toBeGreaterThan(screen - 200);
});

test("keeps the reader's scroll position when the keyboard opens", async ({ chat }) => {
  await openLong(chat);
  const list = chat.panel.getByRole("region", { name: "Messages" });
  await list.evaluate((element) => element.scrollBy(0, -300));
  const fromEnd = () => list.evaluate((element) => element.scrollTop);
  await expect(chat.jumpButton).toBeVisible();
  const before = await fromEnd();
  expect(before).toBeLessThanOrEqual(-300);
  await raiseKeyboard(chat);
  await expect.poll(async () => (await edges(chat.panel)).bottom).toBeLessThan(600);
  expect(await fromEnd()).toBe(before);
});

test("fits the panel above the keyboard in a browser that resizes the content", async ({ chat, page }) => {
  const reply = await openLong(chat);
  await chat.composer.tap();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width, height: height - keyboardHeight });
  await expect.poll(() => edges(chat.panel)).toEqual({ top: 0, bottom: height - keyboardHeight });
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  expect((await edges(reply)).bottom).toBeLessThanOrEqual((await edges(chat.composer)).top);
});

test("leaves room for the messages above the keyboard of a phone in landscape", async ({ chat, page }) => {
  await openLong(chat);
  const list = chat.panel.getByRole("region", { name: "Messages" });
  await list.evaluate((element) => element.scrollBy(0, -300));
  await chat.composer.tap();
  await page.setViewportSize({ width: 844, height: 150 });
  await expect.poll(() => edges(chat.panel)).toEqual({ top: 0, bottom: 150 });
  const { top, bottom } = await edges(list);
  expect(bottom - top).toBeGreaterThan(60);
  expect((await edges(chat.jumpButton)).top).toBeGreaterThanOrEqual(top);
  for (const control of [chat.composer, chat.panel.getByRole("button", { name: "Close chat" })])
    await expect(control).toBeInViewport({ ratio: 1 });
});

test("zooms the panel with the page on pinch", aChat, async ({ chat, page }) => {
  await chat.open();
  await chat.ask("hello");
  const before = await edges(chat.panel);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setPageScaleFactor", { pageScaleFactor: 2 });
  await expect.poll(() => page.evaluate(() => window.visualViewport?.scale)).toBe(2);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  expect(await edges(chat.panel)).toEqual(before);
});
