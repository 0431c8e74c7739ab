/** The shop on a phone. */
import { expect, test } from "../support/chat-page.ts";

test("opens the menu, follows a link and closes the menu", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const menu = page.getByRole("navigation", { name: "Menu" });
  await menu.getByRole("link", { name: "Our shops" }).click();
  await expect(page).toHaveURL("/help/store-hours");
  await expect(menu).toBeHidden();
});
