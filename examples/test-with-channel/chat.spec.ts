/** The app in a browser, in front of the channel that playwright.config.ts starts. */
import { expect, test } from "@playwright/test";
import { Lab } from "shop-chat-channel";

const lab = new Lab({ channelUrl: "http://127.0.0.1:4815", teamKey: "tk_only_for_these_tests" });

test.beforeEach(() => lab.reset());

test("a customer reads the agent's reply", async ({ page }) => {
  await lab.reply({ text: "It costs £79." });
  await page.goto("/");
  await page.getByRole("button", { name: /chat/i }).first().click();
  const field = page.getByRole("textbox");
  await field.fill("How much is the helmet?");
  await field.press("Enter");
  await expect(page.getByText("It costs £79.").last()).toBeVisible();
});

test("a cut stream shows the reply once", async ({ page }) => {
  await lab.reply({ text: "One two three", deltas: ["One ", "two ", "three"] });
  await lab.addFault({ operation: "sendMessage", fault: "drop", afterDeltas: 2 });
  await page.goto("/");
  await page.getByRole("button", { name: /chat/i }).first().click();
  const field = page.getByRole("textbox");
  await field.fill("Count to three");
  await field.press("Enter");
  await expect(page.locator("[data-role=agent]").getByText("One two three")).toHaveCount(1);
});
