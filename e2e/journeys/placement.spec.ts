import type { Page } from "@playwright/test";
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";

/** The playground's chat, once its mode is chosen. */
async function playground(page: Page, choices: Readonly<Record<string, string>> = {}): Promise<ChatPage> {
  await page.goto(`/playground?mode=${choices["Mode"] ?? "floating"}`);
  for (const [label, value] of Object.entries(choices)) await page.getByLabel(label).selectOption(value);
  return new ChatPage(page, choices["Mode"] === undefined ? undefined : page.locator("section[data-panel]"));
}

for (const [mode, ...rare] of [["inline"], ["page", "@rare"]] as const)
  test(`fills its place in the page without a dialog: ${mode}`, {
    ...aChat,
    tag: ["@live", "@phone", ...rare],
  }, async ({ page }) => {
    const chat = await playground(page, { Mode: mode });
    await expect(chat.composer).toBeEditable();
    await expect(page.locator("dialog")).toHaveCount(0);
    await expect(chat.launcher).toHaveCount(0);
    await expect(chat.panel.getByRole("button", { name: "Close" })).toHaveCount(0);
    await chat.ask("hello");
    await chat.choose("Previous chats");
    await page.keyboard.press("Escape");
    await expect(chat.composer).toBeEditable();
    // A returning customer's chat is on the page without a press.
    await page.reload();
    await page.getByLabel("Mode").selectOption(mode);
    await expect(chat.messages("visitor")).toHaveCount(1);
  });

test("the page sends messages, each once, and opens a new chat", aChat, async ({ page }) => {
  const chat = await playground(page);
  await expect(chat.launcher).toBeVisible();
  const ask = (...details: object[]) =>
    page.evaluate((all) => {
      for (const detail of all) window.dispatchEvent(new CustomEvent("shop-chat:open", { detail }));
    }, details);
  await ask({ send: "hello" }, { send: "thank you" });
  // Before the server has named the customer, what two chats hold is joined in one.
  await expect(chat.messages("agent")).toHaveCount(2);
  await chat.settled();
  await expect(chat.messages("visitor").locator("p[dir=auto]")).toHaveText(["hello", "thank you"]);
  await ask({ send: "x".repeat(4001) });
  await expect(chat.composer).toHaveValue("x".repeat(4001));
  const chatId = await chat.chatId();
  await ask({ newChat: true, draft: "from the page" });
  await expect(chat.messages("visitor")).toHaveCount(0);
  await expect(chat.composer).toHaveValue("from the page");
  await chat.choose("Previous chats");
  await ask({ chatId });
  await expect(chat.messages("visitor")).toHaveCount(2);
  await ask({ newChat: true });
  await expect(chat.messages("visitor")).toHaveCount(0);
  await expect(chat.composer).toBeVisible();
});

test("opens with the page until the customer closes it", { ...aChat, tag: ["@live", "@rare"] }, async ({
  page,
}) => {
  const chat = await playground(page);
  await page.getByLabel("Open with the page").check();
  await expect(chat.panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.launcher).toBeVisible();
  await page.getByLabel("Open with the page").uncheck();
  await page.getByLabel("Open with the page").check();
  await expect(chat.launcher).toBeVisible();
  await expect(chat.panel).toHaveCount(0);
});

/** The width below which the button sits closer to the edge, and the panel fills the screen. */
const isWide = ({ width }: { width: number }) => width >= 768;

test("keeps the panel's size over a reload", { ...aChat, tag: ["@live", "@rare"] }, async ({
  page,
  chat,
  viewport,
}) => {
  test.skip(viewport !== null && !isWide(viewport), "a phone's panel fills the screen");
  await chat.open();
  const enlarge = chat.panel.getByRole("button", { name: "Enlarge" });
  await enlarge.click();
  // The chat opens again with the page.
  await page.reload();
  await expect(enlarge).toHaveAttribute("aria-pressed", "true");
  await enlarge.click();
  await expect(enlarge).toHaveAttribute("aria-pressed", "false");
});

test("has the colours that the page chooses, in the shop's light-dark() values", {
  ...aChat,
  tag: ["@live", "@rare"],
}, async ({ page }) => {
  for (const [theme, surface] of [
    ["dark", "rgb(26, 35, 39)"],
    ["light", "rgb(255, 255, 255)"],
  ] as const) {
    const chat = await playground(page, { Colours: theme });
    await chat.launcher.click();
    await expect(chat.panel).toHaveCSS("background-color", surface);
    await page.keyboard.press("Escape");
  }
});
