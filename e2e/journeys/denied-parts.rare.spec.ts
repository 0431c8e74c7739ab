/** Browsers that lack a part of the platform, or deny it: the page stays, and the chat works without it. */
import type { Page } from "@playwright/test";
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";

/** Run before the page's scripts. Where the browser's storage is denied, Firefox throws in these places. */
const denials = {
  "no BroadcastChannel": () => Reflect.deleteProperty(window, "BroadcastChannel"),
  "BroadcastChannel throws": () => {
    Object.assign(window, {
      BroadcastChannel: class {
        constructor() {
          throw new DOMException("denied", "SecurityError");
        }
      },
    });
  },
  "no locks": () => Reflect.deleteProperty(Navigator.prototype, "locks"),
  "locks reject": () => {
    LockManager.prototype.request = () => Promise.reject(new DOMException("denied", "SecurityError"));
  },
  "no storage": () => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
  },
  "no requestIdleCallback": () => Reflect.deleteProperty(window, "requestIdleCallback"),
  "no matchMedia": () => Object.assign(window, { matchMedia: undefined }),
  "no randomUUID": () => Reflect.deleteProperty(Crypto.prototype, "randomUUID"),
  "no IntersectionObserver": () => Reflect.deleteProperty(window, "IntersectionObserver"),
  "no Segmenter": () => Reflect.deleteProperty(Intl, "Segmenter"),
  "no popover": () => Reflect.deleteProperty(HTMLElement.prototype, "showPopover"),
};

async function expectWorkingChat(page: Page): Promise<void> {
  const chat = new ChatPage(page);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await chat.launcher.click();
  await chat.ask("hello");
  await expect(chat.messages("visitor")).toHaveText(/hello/);
  await chat.panel.getByRole("button", { name: "More", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "Previous chats" })).toBeVisible();
  await page.keyboard.press("Escape");
}

for (const [name, deny] of Object.entries(denials))
  test(`<shop-chat> works in a browser with ${name}`, aChat, async ({ page }) => {
    await page.addInitScript(deny);
    await openElementPage(page);
    await expectWorkingChat(page);
  });

for (const [what, names] of Object.entries({
  lacks: Object.keys(denials).filter((name) => name.startsWith("no ")),
  denies: ["BroadcastChannel throws", "locks reject", "no storage"],
}))
  test(`the shop and its chat work in a browser that ${what} all of these parts`, aChat, async ({ page }) => {
    for (const name of names) await page.addInitScript(denials[name as keyof typeof denials]);
    await page.goto("/about");
    await expectWorkingChat(page);
  });

test(
  "an error in the chat leaves the page and its button, which tries again",
  aChat,
  async ({ page, complaints }) => {
    // The chat's rows need it, and it is not one of the parts that may be missing.
    await page.addInitScript(() => {
      const { ResizeObserver } = window;
      Object.assign(window, {
        ResizeObserver: undefined,
        giveBack: () => Object.assign(window, { ResizeObserver }),
      });
    });
    await openElementPage(page);
    const chat = new ChatPage(page);
    await chat.launcher.click();
    await expect(page.getByText("The chat could not be loaded.")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.evaluate(() => Reflect.get(window, "giveBack")());
    await chat.launcher.click();
    await expect(chat.composer).toBeEditable();
    expect(complaints.splice(0)).toContainEqual(expect.stringContaining("ResizeObserver"));
  },
);
