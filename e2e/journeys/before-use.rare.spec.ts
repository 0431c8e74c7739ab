/** The chat's elements, storage and requests in a page before the customer uses the chat, in each mode. */
import type { Locator, Page } from "@playwright/test";
import { violationsOf, wcag } from "../support/accessibility.ts";
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { leftIn, openElementPage } from "../support/element-page.ts";

/** The paths of the chat that the page requests from now on. */
function watched(page: Page): string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/chat/") && !pathname.startsWith("/api/chat/embed")) requests.push(pathname);
  });
  return requests;
}

const asksForCaller = expect.arrayContaining(["/api/chat/session"]);

/** The page's ways to mount the chat, a React component and the element. They return the chat's place. */
const pages = {
  react: async (page: Page, mode: string) => {
    await page.goto(`/playground?mode=${mode}`);
    return page.locator("#chat").locator("..");
  },
  element: async (page: Page, mode: string) => {
    await openElementPage(page, {
      attributes: mode === "floating" ? "" : `mode="${mode}"`,
      body: '<main><h1>A shop</h1><div id="place">$chat</div></main>',
    });
    const place = page.locator("#place");
    await place.evaluate((element) => {
      element.style.blockSize = "500px";
    });
    return place;
  },
};

const heightOf = async (locator: Locator) => (await locator.boundingBox())?.height;

for (const [name, open] of Object.entries(pages)) {
  test(`leaves nothing in the browser before the button is pressed: ${name}`, async ({ page }) => {
    const requests = watched(page);
    await open(page, "floating");
    const chat = new ChatPage(page);
    await expect(chat.launcher).toBeVisible();
    // React's chat is prepared while the page is idle.
    if (name === "react") await expect(page.locator("dialog")).toBeAttached();
    expect([...(await leftIn(page)), ...requests]).toEqual([]);
    await chat.launcher.click();
    await expect.poll(() => requests).toEqual(asksForCaller);
  });

  for (const mode of ["inline", "page"])
    test(`fills its place and leaves nothing before it is focused: ${name}, ${mode}`, async ({ page }) => {
      const requests = watched(page);
      const place = await open(page, mode);
      const composer = page.getByLabel("Your message");
      await expect(composer).toBeEditable();
      expect(await heightOf(page.locator("[data-panel]"))).toBe(await heightOf(place));
      expect(await violationsOf(page, { tags: wcag })).toEqual([]);
      expect([...(await leftIn(page)), ...requests]).toEqual([]);
      await composer.focus();
      await expect.poll(() => requests).toEqual(asksForCaller);
    });
}

for (const [name, open] of Object.entries(pages))
  test(`asks once what a returning customer has missed: ${name}`, aChat, async ({ page }) => {
    const chat = new ChatPage(page);
    const chatId = await chat.start();
    // As if the answer had come after the customer had left.
    await page.evaluate(async (id) => {
      const headers = { "X-Chat-Client": "1" };
      const { items } = await (await fetch(`/api/chat/chats/${id}/messages`, { headers })).json();
      const question = items.find(({ role }: { role: string }) => role === "visitor");
      localStorage.setItem(`shop-chat:1:guest:seen:${id}`, question.id);
      sessionStorage.setItem("shop-chat:1:open", "0");
    }, chatId);
    await page.goto("about:blank");
    const requests = watched(page);
    await open(page, "floating");
    await expect(chat.launcher).toHaveAccessibleName(/1 new message/);
    expect(requests).toEqual([`/api/chat/chats/${chatId}/messages/before`]);
  });

test("asks for the caller at once if the page opens it", async ({ page }) => {
  const requests = watched(page);
  await openElementPage(page, { attributes: "open-on-load" });
  await expect.poll(() => requests).toEqual(asksForCaller);
});
