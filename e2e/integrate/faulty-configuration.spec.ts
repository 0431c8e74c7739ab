/** The customer's view where the host's configuration has a fault. */
import { expect, test } from "../support/chat-page.ts";
import { hosts } from "./hosts.ts";

for (const { name, url, pages } of hosts.filter(
  ({ kind }) => kind === "unconfigured" || kind === "wrong_origin",
)) {
  test.describe(name, () => {
    test.use({ baseURL: url });

    test("says at opening that the chat is not available", async ({ chat, page }) => {
      await page.goto(pages[0] ?? "/");
      await chat.launcher.click();
      await expect(chat.panel.getByText("The chat is not available right now.")).toBeVisible();
      await expect(chat.panel.locator("[data-mode=unavailable]")).toBeVisible();
    });
  });
}
