/** The widget's parts in a host's own page. `e2e/integrate` plays the interface of docs/headless.md. */
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { bundleReactPage } from "../support/element-page.ts";

test("the list and the composer work in a host's own page", aChat, async ({ page }) => {
  const body = await bundleReactPage("e2e/support/parts-page.tsx");
  await page.route("**/own-interface.js", (route) =>
    route.fulfill({ contentType: "text/javascript; charset=utf-8", body }),
  );
  await page.route("**/own-interface", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: '<!doctype html><html lang="en"><title>A shop</title><script type="module" src="/own-interface.js"></script>',
    }),
  );
  await page.goto("/own-interface");
  const chat = new ChatPage(page, page.locator("[data-chat-mode=page]"));
  await chat.panel.getByRole("button", { name: "Do you deliver?" }).click();
  await expect(page.getByText("Messages: 2")).toBeVisible();
  await page.evaluate(() => {
    document.addEventListener("keydown", (event) => event.preventDefault());
  });
  await chat.composer.pressSequentially("hello");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Messages: 4")).toBeVisible();
  await page.reload();
  await expect(chat.messages("visitor").last()).toContainText("hello");
});
