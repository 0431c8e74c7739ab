/**
 * The chat in apps made by the guide's own code blocks (docs/integrate.md), in front of the embedded channel.
 */

import { mkdirSync } from "node:fs";
import { returnForm } from "../support/cards.ts";
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";
import { hosts, signIn, signOut } from "./hosts.ts";
import { actionPath } from "./next-pages.ts";
import { answerAndPicture, testOwnChats } from "./own-chats.ts";

/** Folder of screenshots for people to look at after a run. */
const pictures = "test-results/integrate-pictures";
mkdirSync(pictures, { recursive: true });

test("has at least one host to test", () => {
  expect(hosts.length).toBeGreaterThan(0);
});

for (const { name, url, pages, isElement, isPlain } of hosts.filter(({ kind }) => kind === "complete")) {
  const [first = "/"] = pages;

  test.describe(name, () => {
    test.use({ baseURL: url });

    test("streams an answer, takes a file, and shows a form", aChat, async ({ chat, page }) => {
      const chatId = await answerAndPicture(chat, first);
      await page.keyboard.press("Escape");

      await lab.reply(chatId, { text: "A few details, please.", collection: returnForm });
      await chat.ask("I want to return it");
      const form = chat.panel.getByRole("region", { name: "Form" });
      await form.getByLabel("Email").fill("ana@example.com");
      await form.getByLabel("Damaged").check();
      await form.getByRole("button", { name: "Send answers" }).click();
      await expect(form.getByText("ana@example.com")).toBeVisible();
    });

    testOwnChats("shows each customer only their own chats, by the host's cookie", first, {
      async signIn(page, customerId) {
        await page.goto("about:blank");
        await signIn(page.context(), url, customerId);
      },
      async signOut(page) {
        await page.goto("about:blank");
        await signOut(page.context());
      },
    });

    test("clears a customer's chat on sign-out without a reload", aChat, async ({ chat, context, page }) => {
      await signIn(context, url, "stays");
      await chat.open(first);
      await chat.ask("Mine alone");
      await signOut(context);
      await page.evaluate(() => window.dispatchEvent(new Event("shop-chat:session")));
      await expect(chat.panel.getByText("Mine alone", { exact: true })).toHaveCount(0);
    });

    for (const path of pages)
      test(`opens on ${path}`, async ({ chat }) => {
        await chat.open(path);
      });

    if (pages.includes(actionPath))
      test("keeps the host's own server actions working", async ({ page }) => {
        await page.goto(actionPath);
        await page.getByLabel("Newsletter").fill("ana");
        await page.getByRole("button", { name: "Subscribe" }).click();
        await expect(page).toHaveURL(/\/dynamic\?subscribed=ana$/);
      });

    for (const colorScheme of ["light", "dark"] as const)
      test(`matches the page's background in ${colorScheme}`, aChat, async ({ browser }) => {
        const context = await browser.newContext({ baseURL: url, colorScheme });
        const page = await context.newPage();
        const chat = new ChatPage(page);
        await chat.open(first);
        await chat.ask("hello");
        const colours = await chat.panel.evaluate((panel) => {
          const of = (element: Element) => getComputedStyle(element).backgroundColor;
          let bubble = panel.querySelector("[data-role=agent] p[dir=auto]") ?? panel;
          while (of(bubble) === "rgba(0, 0, 0, 0)" && bubble.parentElement !== null)
            bubble = bubble.parentElement;
          return { panel: of(panel), bubble: of(bubble) };
        });
        // A page without colours of its own is light, whatever the system prefers.
        const isDark = colorScheme === "dark" && !isPlain;
        expect(colours.panel).toBe(isDark ? "rgb(20, 26, 25)" : "rgb(255, 255, 255)");
        expect(colours.bubble).toBe(isDark ? "rgb(30, 38, 37)" : "rgb(241, 244, 242)");
        await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` });
        await context.close();
      });

    if (isElement)
      test("is controlled by JavaScript and reports unread messages", aChat, async ({ chat, page }) => {
        await page.goto(first);
        const element = page.locator("shop-chat");
        await element.evaluate((shopChat: HTMLElement & { draft: string }) => {
          shopChat.draft = "Do you deliver?";
        });
        await expect(chat.composer).toHaveValue("Do you deliver?");
        await chat.composer.press("Enter");
        await chat.settled();
        await element.evaluate((shopChat: HTMLElement & { close(): void }) => shopChat.close());
        await expect(chat.panel).toHaveCount(0);
        await element.evaluate((shopChat: HTMLElement & { open(): void }) => shopChat.open());
        await expect(chat.composer).toBeEditable();

        await element.evaluate((shopChat) =>
          shopChat.addEventListener("unread", (event) => {
            shopChat.dataset["unread"] = String((event as CustomEvent<{ count: number }>).detail.count);
          }),
        );
        await lab.reply(await chat.chatId(), heldReply());
        await chat.send("And when?");
        await expect(chat.lastReply()).toContainText("word4");
        await element.evaluate((shopChat: HTMLElement & { close(): void }) => shopChat.close());
        await lab.continueReply(await chat.chatId());
        await expect(element).toHaveAttribute("data-unread", "1");
        await expect(element).toHaveJSProperty("unread", 1);
      });
  });
}
