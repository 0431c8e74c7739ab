/** The examples whose interface is not the widget. */
import { aProduct } from "#lib/engine/testing/builders.ts";
import { returnForm } from "../support/cards.ts";
import { aChat, expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";
import { send, startChat, testOwnInterface } from "../support/own-interface.ts";
import { hosts } from "./hosts.ts";

for (const { name, url } of hosts.filter(({ kind }) => kind === "headless"))
  test.describe(name, () => {
    test.use({ baseURL: url });
    testOwnInterface(async (page) => {
      await page.goto("/");
    });
  });

for (const { name, url } of hosts.filter(({ kind }) => kind === "assistant_ui"))
  test.describe(name, () => {
    test.use({ baseURL: url });

    test(
      "streams a reply, with cards, a form and the offer of the team below it",
      aChat,
      async ({ page }) => {
        await page.goto("/");
        const messages = page.locator("[data-message-id]");
        const chatId = await startChat(page, messages);
        await lab.reply(chatId, { ...heldReply(), products: [aProduct({ title: "Trail helmet" })] });
        await send(page, "Tell me more");
        await expect(messages.last()).toContainText("word4");
        await expect(messages.last()).not.toContainText("word5");
        await lab.continueReply(chatId);
        await expect(messages.last()).toContainText("word39");
        await expect(messages.last().getByText("Trail helmet")).toBeVisible();

        await lab.reply(chatId, { text: "A few details, please.", collection: returnForm });
        await send(page, "I want to return it");
        const form = page.getByRole("region", { name: "Form" });
        await form.getByLabel("Email").fill("ana@example.com");
        await form.getByLabel("Damaged").check();
        await form.getByRole("button", { name: "Send answers" }).click();
        await expect(form).toHaveCount(0);

        await lab.reply(chatId, { text: "Shall I pass you on?", handoffOffer: true });
        await send(page, "A person, please");
        await expect(messages.last().getByRole("button", { name: "Talk to the team" })).toBeVisible();
        await page.reload();
        await expect(messages.filter({ hasText: "I want to return it" })).toHaveCount(1);
      },
    );

    test("offers the one button that helps after a refusal, and sends once", aChat, async ({ page }) => {
      await page.goto("/");
      const error = { code: "chat_limit_reached", message: "", requestId: "req_of_a_full_plan" };
      await page.route("**/api/chat/chats", (route) => route.fulfill({ status: 429, json: { error } }));
      await send(page, "hello");
      await expect(page.getByRole("alert")).toContainText("no more messages");
      await page.unroute("**/api/chat/chats");
      await page.getByRole("button", { name: "try_again" }).click();
      await expect(page.locator("[data-message-id]")).toHaveCount(2);
    });
  });
