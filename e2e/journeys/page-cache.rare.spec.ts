/** The browser's back/forward cache, which Playwright turns off in its own browsers. */
import { test as base, ChatPage, expect } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";

const test = base.extend<{ cached: ChatPage }>({
  async cached({ playwright, launchOptions, baseURL }, use) {
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
    const context = await browser.newContext({ ...(baseURL && { baseURL }) });
    await use(new ChatPage(await context.newPage()));
    await browser.close();
  },
});

/**
 * Leaves the page, writes in another tab, and goes back. Returns why the page did not come from the cache;
 * null if it did.
 */
async function leaveAndReturn({ page }: ChatPage): Promise<unknown> {
  await page.evaluate(() => {
    window.addEventListener("pageshow", ({ persisted }) => Object.assign(window, { persisted }));
  });
  await page.goto("/robots.txt");
  const other = new ChatPage(await page.context().newPage());
  await openElementPage(other.page);
  if (!(await other.panel.isVisible())) await other.launcher.click();
  await other.ask("hello");
  await page.goBack({ waitUntil: "commit" });
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    return "persisted" in window ? null : JSON.stringify(navigation);
  });
}

test("a page whose chat nobody has used comes from the cache", async ({ cached }) => {
  await openElementPage(cached.page, { attributes: 'greeting-text="Can we help?" greeting-after="1"' });
  await expect(cached.page.getByText("Can we help?")).toBeVisible();
  expect(await leaveAndReturn(cached)).toBeNull();
});

test("a page with an open chat comes from the cache, and the chat goes on", async ({ cached }) => {
  await openElementPage(cached.page);
  await cached.launcher.click();
  await cached.ask("thank you");
  expect(await leaveAndReturn(cached)).toBeNull();
  const texts = cached.messages("visitor").locator("p[dir=auto]");
  await expect(texts).toHaveText(["thank you", "hello"]);
  await cached.ask("bye");
  await expect(texts).toHaveText(["thank you", "hello", "bye"]);
});
