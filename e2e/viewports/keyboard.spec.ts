/**
 * The keys of the table in docs/accessibility.md, except those of a row of products. Narrow viewports are
 * included: there the panel is modal, which changes Escape and Tab.
 */

import { devices, type Locator, type Page } from "@playwright/test";
import { aPicture } from "../support/attachments.ts";
import { returnForm } from "../support/cards.ts";
import { type ChatPage, expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

// A narrow window of a computer, whose browser does not call itself a phone's.
const { userAgent } = devices["Desktop Chrome"];
test.use({ isMobile: false, hasTouch: false, userAgent });

const form = { ...returnForm, canSkip: true };

/** Presses Tab until the last element has the focus and returns the names on the way. */
async function tabTo(page: Page, last: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<string[]> {
  const passed: string[] = [];
  const isThere = () => last.evaluate((element) => element === document.activeElement);
  do {
    await page.keyboard.press(key);
    passed.push(await page.evaluate(nameOfFocused));
    expect(passed.length, passed.join(" → ")).toBeLessThan(60);
  } while (!(await isThere()));
  return passed;
}

/** Runs in the page. */
function nameOfFocused(): string {
  const element = document.activeElement;
  if (element === null || element === document.body) return "nothing";
  const label =
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? element.labels?.item(0)?.querySelector("bdi")
      : null;
  return (element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent ?? "").trim();
}

const more = ({ panel }: ChatPage) => panel.getByRole("button", { name: "More", exact: true });

async function openFromMenu(chat: ChatPage, item: string): Promise<void> {
  await more(chat).press("Enter");
  const wanted = chat.page.getByRole("menuitem", { name: item });
  await wanted.press("Enter");
}

test("Escape uncovers a focused control of the page", async ({ chat, page }) => {
  await chat.open("/");
  const isModal = await chat.panel.evaluate((panel) => panel.matches(":modal"));
  test.skip(isModal, "the page behind is inert");
  const panel = await chat.panel.boundingBox();
  const links = page.getByRole("main").getByRole("link");
  const places = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().toJSON()));
  const isCovered = ({ right, top }: DOMRect) => panel !== null && right > panel.x + 40 && top > panel.y;
  const covered = links.nth(places.findIndex(isCovered));
  await chat.composer.blur();
  await page.keyboard.press("Escape");
  await covered.focus();
  await expect(chat.panel).toBeVisible();
  await covered.press("Escape");
  await expect(chat.panel).toBeHidden();
  await expect(covered).toBeFocused();
});

test("Escape closes the innermost layer and restores the focus", async ({ chat, page }) => {
  await chat.start();
  await more(chat).press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(more(chat)).toBeFocused();

  await openFromMenu(chat, "Previous chats");
  await expect(chat.panel.getByRole("button", { name: "Back to the chat" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(chat.panel.getByText("Previous chats")).toBeHidden();
  await expect(chat.composer).toBeFocused();

  await page.keyboard.press("Escape");
  await expect(chat.panel).toBeHidden();
  await expect(chat.launcher).toBeFocused();
});

test("Enter sends, Shift+Enter starts a line, an input method's Enter does neither", async ({
  chat,
  page,
}) => {
  await chat.open();
  await chat.composer.focus();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two ");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  await expect(chat.composer).toHaveValue("one\ntwo にほん");
  // Keys for an input method carry no character: in most browsers during composition, in Safari right after
  // it.
  const taken = { type: "rawKeyDown", key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 } as const;
  await devtools.send("Input.dispatchKeyEvent", taken);
  await devtools.send("Input.insertText", { text: "日本" });
  await devtools.send("Input.dispatchKeyEvent", taken);
  await expect(chat.composer).toHaveValue("one\ntwo 日本");
  await expect(chat.rows).toHaveCount(0);
  await page.keyboard.press("Enter");
  await chat.settled();
  await expect(chat.messages("visitor").locator("p[dir=auto]")).toHaveText("one\ntwo 日本");
  await expect(chat.composer).toBeFocused();
});

test("arrows, Home and End move through the menu, and Tab leaves it", async ({ chat, page }) => {
  await chat.start();
  await more(chat).press("Enter");
  const items = page.getByRole("menu").locator("[role^=menuitem]");
  await expect(items.first()).toBeFocused();
  const last = (await items.count()) - 1;
  expect(last).toBe(2);
  for (const [key, at] of [
    ["ArrowDown", 1],
    ["ArrowDown", 2],
    ["ArrowUp", 1],
    ["Home", 0],
    ["ArrowUp", last],
    ["ArrowDown", 0],
    ["End", last],
  ] as const) {
    await page.keyboard.press(key);
    await expect(items.nth(at), key).toBeFocused();
  }
  const sound = page.getByRole("menuitemcheckbox", { name: /sound/i });
  await sound.press("Space");
  await expect(sound).toBeChecked();
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(chat.panel.locator(":focus")).toHaveCount(1);
});

test("keys scroll the message list", async ({ chat, page }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "A line of many.\n".repeat(120) });
  await chat.ask("tell me more");
  const list = chat.panel.getByRole("region", { name: "Messages" });
  await list.focus();
  // The list is reversed: zero is its end, and positions above are negative.
  const top = () => list.evaluate((element) => element.scrollTop);
  expect(await top()).toBe(0);
  const presses = async (key: string) => {
    const before = await top();
    // Scrolling may be smooth, so the next key waits for its end.
    const ended = await list.evaluateHandle((element) => ({
      promise: new Promise((resolve) => element.addEventListener("scrollend", resolve, { once: true })),
    }));
    await page.keyboard.press(key);
    await ended.evaluate(({ promise }) => promise.then(() => undefined));
    return (await top()) - before;
  };
  expect(await presses("ArrowUp")).toBeLessThan(0);
  expect(await presses("PageUp")).toBeLessThan(-100);
  expect(await presses("Home")).toBeLessThan(-100);
  expect(await presses("ArrowDown")).toBeGreaterThan(0);
  expect(await presses("PageDown")).toBeGreaterThan(100);
  await page.keyboard.press("End");
  await expect.poll(top).toBe(0);
});

test("opens a picture with the keyboard, and returns the focus", async ({ chat, page }) => {
  await chat.open();
  await chat.attach(aPicture("a.png"));
  await expect(chat.panel.locator("form li:not([data-state])")).toHaveCount(1);
  await chat.composer.press("Enter");
  await chat.settled();
  const picture = chat.messages("visitor").last().getByRole("button").first();
  await picture.press("Enter");
  const lightbox = page.locator("dialog[open] dialog[open]");
  await expect(lightbox.getByRole("img")).toHaveAttribute("alt", "a.png");
  await page.keyboard.press("Escape");
  await expect(lightbox).toBeHidden();
  await expect(picture).toBeFocused();
  await expect(chat.panel).toBeVisible();
});

test("Tab follows the reading order through the panel and an open form", async ({ chat, page }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: form });
  await chat.ask("I want to return something");
  const card = chat.panel.getByRole("region", { name: "Form" });
  await expect(card.getByLabel("Email")).toBeVisible();
  await expect(chat.panel.getByRole("button", { name: "Helpful", exact: true })).toHaveCount(1);
  await chat.panel.getByRole("button", { name: "New chat" }).focus();
  // A phone has no room for a larger panel.
  const isEnlargeable = await chat.panel.getByRole("button", { name: "Enlarge" }).isVisible();
  const onward = [
    "More",
    ...(isEnlargeable ? ["Enlarge"] : []),
    "Close chat",
    "Messages",
    "Helpful",
    "Not helpful",
    "Email",
    "Too big",
    "Note",
    "Send answers",
    "Skip",
    "Cancel",
    "Attach files",
    "Your message",
  ];
  expect(await tabTo(page, chat.composer)).toEqual(onward);
  expect(await tabTo(page, more(chat), "Shift+Tab")).toEqual([...onward].reverse().slice(1));

  await card.getByLabel("Too big").focus();
  await page.keyboard.press("ArrowDown");
  await expect(card.getByLabel("Damaged")).toBeFocused();
  await expect(card.getByLabel("Damaged")).toBeChecked();
});
