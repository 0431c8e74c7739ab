/** The shop on a phone. */
import { expect, test } from "../support/chat-page.ts";

test("opens the menu, follows a link and closes the menu", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const menu = page.getByRole("navigation", { name: "Menu" });
  await menu.getByRole("link", { name: "Our shops" }).click();
  await expect(page).toHaveURL("/stores");
  await expect(menu).toBeHidden();
});

test("filters the catalogue from a collapsed filter panel", async ({ page }) => {
  await page.goto("/products");
  await page.getByText("Search and filter").first().click();
  await page.getByRole("main").getByLabel("Category").first().selectOption("Bikes");
  await expect(page.getByText("5 products")).toBeVisible();
});
