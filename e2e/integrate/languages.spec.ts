/** The chat in shops of other languages, by the recipes of docs/any-language.md. */
import { aPicture } from "../support/attachments.ts";
import { aChat, expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";
import { hosts } from "./hosts.ts";
import { testOwnChats } from "./own-chats.ts";

for (const { name, url } of hosts.filter(({ kind }) => kind === "language")) {
  test.describe(name, () => {
    test.use({ baseURL: url });

    test("streams an answer through the proxy and takes a file", aChat, async ({ chat, page }) => {
      const chatId = await chat.start("/");
      await lab.reply(chatId, heldReply());
      await chat.send("Tell me more");
      await expect(chat.lastReply()).toContainText("word4");
      await expect(chat.lastReply()).not.toContainText("word5");
      await lab.continueReply(chatId);
      await expect(chat.lastReply()).toContainText("word39");
      await chat.settled();
      await chat.attach(aPicture());
      await expect(chat.panel.getByRole("button", { name: "Remove hub.png" })).toBeVisible();
      await chat.ask("This is the hub");
      await chat.messages("visitor").last().getByRole("button", { name: "Open hub.png" }).click();
      const dialog = page.getByRole("dialog", { name: "Picture" });
      await expect(dialog.getByRole("img", { name: "hub.png" })).toBeVisible();
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
