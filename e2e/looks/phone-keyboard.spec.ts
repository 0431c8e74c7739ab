/**
 * The keyboard on a phone's screen. Chromium without a window system has none, so the page is told of it as phones tell
 * it: iOS and Android make the visual viewport smaller and leave the layout as it is; a browser that resizes the content
 * instead makes both smaller.
 */
import type { Locator } from "@playwright/test";
import { aChat, type ChatPage, expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

test.skip(({ hasTouch }) => !hasTouch, "a keyboard on the screen is for fingers");

const keyboardHeight = 336;

/** What `visualViewport` says once the keyboard is there, and after how much of the page it begins. */
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

/** Its own properties hide those of all viewports. */
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

test("the panel takes what the keyboard leaves, and the end of the list stays in sight", {
  tag: "@ours",
}, async ({ chat }) => {
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

test("what is being read above the end stays under the eyes when the keyboard comes", {
  tag: "@ours",
}, async ({ chat }) => {
  await openLong(chat);
  const list = chat.panel.getByRole("region", { name: "Messages" });
  await list.evaluate((element) => element.scrollBy(0, -300));
  const fromEnd = () => list.evaluate((element) => element.scrollTop);
  await expect.poll(fromEnd).toBe(-300);
  await raiseKeyboard(chat);
  await expect.poll(async () => (await edges(chat.panel)).bottom).toBeLessThan(600);
  expect(await fromEnd()).toBe(-300);
});

test("a browser that resizes the content for its keyboard leaves the same", { tag: "@ours" }, async ({
  chat,
  page,
}) => {
  const reply = await openLong(chat);
  await chat.composer.tap();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width, height: height - keyboardHeight });
  await expect.poll(() => edges(chat.panel)).toEqual({ top: 0, bottom: height - keyboardHeight });
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  expect((await edges(reply)).bottom).toBeLessThanOrEqual((await edges(chat.composer)).top);
});

test("fingers that enlarge the page enlarge the panel with it", aChat, async ({ chat, page }) => {
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
