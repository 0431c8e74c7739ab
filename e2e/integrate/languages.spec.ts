/** The chat in shops of other languages, by the recipes of docs/any-language.md. */
import { aChat, expect, test } from "../support/chat-page.ts";
import { hosts } from "./hosts.ts";
import { answerAndPicture, testOwnChats } from "./own-chats.ts";

for (const { name, url } of hosts.filter(({ kind }) => kind === "language")) {
  test.describe(name, () => {
    test.use({ baseURL: url });

    test("streams an answer through the proxy and takes a file", aChat, async ({ chat }) => {
      await answerAndPicture(chat, "/");
    });

    testOwnChats("signs in, signs out and changes the customer by the shop's own forms", "/", {
      async signIn(page, customerId) {
        await page.getByLabel("Customer", { exact: true }).fill(customerId);
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
        await expect(page.locator("shop-chat")).toHaveAttribute("customer", customerId);
      },
      async signOut(page) {
        await page.getByRole("button", { name: "Sign out", exact: true }).click();
        await expect(page.locator("shop-chat[customer]")).toHaveCount(0);
      },
    });
  });
}
