/** The bubble that greets visitors who have not used the chat. */
import type { Page } from "@playwright/test";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { leftIn, openElementPage } from "../support/element-page.ts";

const text = "Can we help?";
const greets = `greeting-text="${text}" greeting-after="0"`;
const bubble = (page: Page) => page.getByRole("status").getByRole("button", { name: text });

test("greets without a trace, and opens the chat when pressed", async ({ page, chat }) => {
  await openElementPage(page, { attributes: greets });
  await expect(bubble(page)).toBeVisible();
  expect(await leftIn(page)).toEqual([]);
  await bubble(page).click();
  await expect(chat.composer).toBeEditable();
  await expect(bubble(page)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(chat.launcher).toBeVisible();
  await expect(bubble(page)).toHaveCount(0);
});

test("never greets again once it is dismissed", async ({ page }) => {
  await openElementPage(page, { attributes: greets });
  await page.getByRole("status").getByRole("button", { name: "Dismiss" }).press("Enter");
  await expect(bubble(page)).toHaveCount(0);
  await expect(new ChatPage(page).launcher).toBeFocused();
  await openElementPage(page, { attributes: greets });
  await expect(page.locator("shop-chat dialog")).toBeAttached();
  await expect(bubble(page)).toHaveCount(0);
});

test("greets on its pages only, also when the page changes its address", async ({ page }) => {
  await openElementPage(page, { attributes: `${greets} greeting-paths="/sale /products/*"` });
  for (const [path, count] of [
    ["/products/kestrel", 1],
    ["/about", 0],
    ["/sale", 1],
    ["/sale/old", 0],
  ] as const) {
    await page.evaluate((to) => history.pushState(null, "", to), path);
    await expect(bubble(page), path).toHaveCount(count);
  }
});

test("never covers a field of the page", async ({ page }) => {
  await openElementPage(page, {
    attributes: greets,
    body: `<main><h1>A shop</h1><input aria-label="Search">$chat</main>`,
  });
  await expect(bubble(page)).toBeVisible();
  await page.getByLabel("Search").focus();
  await expect(bubble(page)).toBeHidden();
  await page.getByLabel("Search").blur();
  await expect(bubble(page)).toBeVisible();
  // Beneath it.
  await page.getByLabel("Search").evaluate((search) => {
    Object.assign(search.style, { position: "fixed", right: "40px", bottom: "100px" });
    window.dispatchEvent(new Event("resize"));
  });
  await expect(bubble(page)).toBeHidden();
});

test("greets a page with React in the words of the shop", async ({ page }) => {
  await page.goto("/playground?mode=floating");
  await page.getByLabel("Greeting").fill("Looking for a helmet?");
  // It waits while the visitor writes in a field.
  const greeting = page.getByRole("status").getByText("Looking for a helmet?");
  await expect(greeting).toBeAttached();
  await expect(greeting).toBeHidden();
  await page.getByLabel("Greeting").blur();
  await expect(greeting).toBeVisible();
});
