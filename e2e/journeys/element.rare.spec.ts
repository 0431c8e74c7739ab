/** `<shop-chat>` in a page that does not use React: where it sits, and what the page asks of it. */
import type { Locator } from "@playwright/test";
import type { ShopChatElement } from "../../components/chat/element/shop-chat.ts";
import { violationsOf, wcag } from "../support/accessibility.ts";
import { ChatPage, chats, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";
import { lab } from "../support/lab.ts";

const element = (chat: ChatPage) => chat.page.locator("shop-chat");
/** Distances of the box from the window's edges. */
async function edges(locator: Locator) {
  const box = await locator.boundingBox();
  const window = locator.page().viewportSize();
  if (box === null || window === null) return null;
  return { start: box.x, end: window.width - box.x - box.width, block: window.height - box.y - box.height };
}

test("sits in the corner and at the distance of its attributes, before and after it loads", async ({
  page,
}) => {
  const chat = new ChatPage(page);
  await openElementPage(page, { attributes: 'side="start" offset="24 80"' });
  expect(await edges(chat.launcher)).toMatchObject({ start: 24, block: 80 });
  await chat.launcher.click();
  await expect.poll(() => edges(chat.panel)).toMatchObject({ start: 24, block: 80 });
  await page.keyboard.press("Escape");
  // The button is a pixel higher under the pointer.
  await page.mouse.move(0, 0);
  await expect.poll(() => edges(chat.launcher)).toMatchObject({ start: 24, block: 80 });
  // An attribute that changes moves it.
  await element(chat).evaluate((chatElement) => chatElement.setAttribute("offset", "40"));
  await expect.poll(() => edges(chat.launcher)).toMatchObject({ start: 40, block: 40 });
  await element(chat).evaluate((chatElement) => chatElement.removeAttribute("side"));
  await expect.poll(() => edges(chat.launcher)).toMatchObject({ end: 40, block: 40 });
});

test("opens without a button by an element of the page, which gets the focus back", async ({ page }) => {
  const chat = new ChatPage(page);
  await openElementPage(page, {
    attributes: 'launcher="none"',
    body: `<main><h1>A shop</h1>
      <a href="/help/delivery" data-shop-chat-open="Do you deliver to Ireland?">Ask</a>$chat</main>`,
  });
  const opener = page.getByRole("link", { name: "Ask" });
  await expect(element(chat)).toBeAttached();
  await expect(chat.launcher).toHaveCount(0);
  await opener.click();
  await expect(chat.composer).toHaveValue("Do you deliver to Ireland?");
  expect(await violationsOf(page, { tags: wcag })).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
});

test("gives the focus back to what opened it, in the page, in a shadow tree, or its own button", async ({
  page,
}) => {
  const chat = new ChatPage(page);
  await openElementPage(page, {
    body: `<main><h1>A shop</h1><button type="button" data-shop-chat-open>Ask</button>
      <div><template shadowrootmode="open"><button type="button" data-shop-chat-open>Help</button></template>
      </div>$chat</main>`,
  });
  const openers = ["Ask", "Help", "Chat with us"].map((name) => page.getByRole("button", { name }));
  for (const opener of [...openers, ...openers]) {
    await opener.press("Enter");
    await expect(chat.composer).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(opener).toBeFocused();
  }
});

test("shows its children while scripts are off, and the chat in their place", async ({
  browser,
  baseURL,
}) => {
  for (const javaScriptEnabled of [false, true]) {
    const context = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled });
    const page = await context.newPage();
    await openElementPage(page, {
      body: '<main><shop-chat agent-name="Wren"><a href="/help">Write to us</a></shop-chat></main>',
    });
    const instead = page.getByRole("link", { name: "Write to us" });
    await expect(new ChatPage(page).launcher).toHaveCount(javaScriptEnabled ? 1 : 0);
    await expect(instead).toBeVisible({ visible: !javaScriptEnabled });
    await context.close();
  }
});

test("says why a chat server at another origin cannot be used", async ({ page }) => {
  const chat = new ChatPage(page);
  await openElementPage(page, { attributes: 'api="https://api.shop.example/api/chat"' });
  await chat.launcher.click();
  await chat.composer.fill("Do you deliver to Ireland?");
  await chat.composer.press("Enter");
  await expect(chat.panel).toContainText("must be at this page's origin, not at https://api.shop.example");
  await expect(chat.panel).not.toContainText("Connection lost");
});

for (const sign of ["pointerenter", "focus"] as const)
  test(`loads before the press what it needs, at the first sign of it: ${sign}`, async ({
    page,
    context,
  }) => {
    const chat = new ChatPage(page);
    await openElementPage(page);
    await expect(chat.launcher).toBeVisible();
    const isLoaded = page.waitForResponse("**/embed/en-*.js");
    await (sign === "focus" ? chat.launcher.focus() : chat.launcher.hover());
    await isLoaded;
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
    await chat.launcher.click();
    await expect(chat.composer).toBeVisible();
  });

test(
  "sends, opens a new chat and the former one, and closes when the page asks",
  chats(2),
  async ({ page }) => {
    const chat = new ChatPage(page);
    const texts = chat.messages("visitor").locator("p[dir=auto]");
    const ask = (act: (chatElement: ShopChatElement, id: string) => void, id = "") =>
      element(chat).evaluate(act as (chatElement: Element, id: string) => void, id);
    await openElementPage(page);
    await expect(chat.launcher).toBeVisible();
    // Before it has loaded.
    await ask((chatElement) => chatElement.send("hello"));
    await expect(texts).toHaveText(["hello"]);
    await chat.settled();
    const former = await chat.chatId();
    await ask((chatElement) => chatElement.newChat());
    await expect(texts).toHaveCount(0);
    await ask((chatElement) => chatElement.send("thank you"));
    await expect(texts).toHaveText(["thank you"]);
    await chat.settled();
    await ask((chatElement, id) => chatElement.openChat(id), former);
    await expect(texts).toHaveText(["hello"]);
    await ask((chatElement) => {
      chatElement.draft = "half a question";
    });
    await expect(chat.composer).toHaveValue("half a question");
    await ask((chatElement) => chatElement.close());
    await expect(chat.launcher).toBeVisible();
    await expect(chat.panel).toHaveCount(0);
  },
);

test("the snippet of the playground is a page with the chat that was chosen", async ({ page }) => {
  await page.goto("/playground?mode=floating");
  await page.getByLabel("Side").selectOption("start");
  await page.getByLabel("Suggestions").fill('Is a "Kestrel" <light>?\nDo you deliver?');
  await page.getByLabel("Say that an AI answers").check();
  await page.getByLabel("Open with the page").check();
  const code = page.getByRole("region", { name: "Code" });
  await code.getByRole("radio", { name: "Any page" }).check();
  const snippet = await code.locator("code").textContent();
  const chat = new ChatPage(page);
  await openElementPage(page, { body: `<main><h1>A shop</h1></main>${snippet}` });
  await expect.poll(() => edges(chat.panel)).toMatchObject({ start: 20 });
  await expect(chat.panel.getByRole("button", { name: 'Is a "Kestrel" <light>?' })).toBeVisible();
  await expect(chat.panel.getByText("AI assistant")).toBeVisible();
});

test("goes on with a reply in a page that the browser translates, and copies a link without its hint", async ({
  page,
}) => {
  const chat = new ChatPage(page);
  await openElementPage(page);
  await chat.launcher.click();
  await chat.ask("hello");
  const chatId = await chat.chatId();
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
  const deltas = `${words} see https://shop.example/a now`.split(/(?<= )/);
  await lab.reply(chatId, { text: deltas.join(""), deltas, holdsAfter: 5 });
  await chat.send("tell me");
  const reply = chat.unfinishedReply.locator("p[dir=auto]");
  await expect(reply).toContainText("word4");
  // As Google's translation does it.
  await reply.evaluate((paragraph) => {
    const font = document.createElement("font");
    font.append(Object.assign(document.createElement("font"), { textContent: "Wort0 Wort1" }));
    for (const text of [...paragraph.childNodes]) if (text instanceof Text) text.replaceWith(font);
  });
  await lab.continueReply(chatId, 20);
  await expect(reply).toContainText("word19");
  await lab.continueReply(chatId);
  await chat.settled();
  await expect(chat.lastReply()).toContainText("word39 see");
  const copied = await chat
    .lastReply()
    .locator("p[dir=auto]")
    .evaluate((paragraph) => {
      const selection = window.getSelection();
      selection?.selectAllChildren(paragraph);
      return selection?.toString();
    });
  expect(copied).toBe(`${words} see https://shop.example/a now`);
});

for (const { name, pointer, userAgent } of [
  { name: "hovers, such as some with a pen", pointer: "(pointer: coarse)", userAgent: undefined },
  { name: "calls its touch screen fine", pointer: "", userAgent: "Mozilla/5.0 (Linux; Android 15) Mobile" },
])
  test(`takes pictures and starts a line by Enter on a phone that ${name}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL: baseURL ?? "", ...(userAgent && { userAgent }) });
    const page = await context.newPage();
    await page.addInitScript((coarse) => {
      const { matchMedia } = window;
      window.matchMedia = (query) => matchMedia(query === coarse ? "all" : query);
    }, pointer);
    const chat = new ChatPage(page);
    await openElementPage(page);
    await chat.launcher.click();
    await expect(chat.panel.getByRole("button", { name: "Take a picture" })).toBeVisible();
    await expect(chat.composer).toHaveAccessibleDescription("");
    await chat.composer.fill("one");
    await chat.composer.press("Enter");
    await expect(chat.composer).toHaveValue("one\n");
    await context.close();
  });
