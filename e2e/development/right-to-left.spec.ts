import { expect, test } from "../support/chat-page.ts";

test("leaves the chat's button free on a right-to-left page", async ({ chat, page }) => {
  await page.goto("/ar/help");
  await page.getByRole("button", { name: "تحدث معنا" }).click();
  await expect(chat.panel).toBeVisible();
});
