import { expect, test } from "../support/chat-page.ts";
import { lab, team } from "../support/lab.ts";

test("from the agent to a teammate, to the end, to a new chat with the draft", { tag: "@ours" }, async ({
  chat,
}) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "I can pass you on.", handoffOffer: true });
  await chat.ask("a person, please");
  const offer = chat.panel.getByRole("region", { name: "Talk to a person" });
  const email = offer.getByLabel("Your e-mail address");
  await expect(offer.getByRole("button", { name: "Pass me to the team" })).toBeVisible();
  if (await email.isVisible()) await email.fill("ana@example.com");
  await offer.getByRole("button", { name: "Pass me to the team" }).click();
  await expect(chat.panel.getByText(/Waiting since/)).toBeVisible();
  await chat.expectAccessible();

  await chat.send("It is about my rear hub.");
  await chat.settled();
  await team.claim(chatId, "Zoë");
  await team.write(chatId, "Hello, I am looking at it.");
  await expect(chat.messages("teammate")).toContainText("Hello, I am looking at it.", { timeout: 15_000 });
  await expect(chat.panel.getByText("You are talking to Zoë")).toBeVisible();

  await chat.composer.fill("One more thing");
  await team.resolve(chatId);
  await expect(chat.panel.getByText("takes no more messages")).toBeVisible({ timeout: 15_000 });
  await chat.panel.getByRole("button", { name: "New chat" }).last().click();
  await expect(chat.composer).toHaveValue("One more thing");
});

test("a message that comes while the chat is closed is counted on its button", { tag: "@ours" }, async ({
  chat,
}) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "I can pass you on.", handoffOffer: true });
  await chat.ask("a person, please");
  const offer = chat.panel.getByRole("region", { name: "Talk to a person" });
  await expect(offer.getByRole("button", { name: "Pass me to the team" })).toBeVisible();
  const email = offer.getByLabel("Your e-mail address");
  if (await email.isVisible()) await email.fill("ana@example.com");
  await offer.getByRole("button", { name: "Pass me to the team" }).click();
  await expect(chat.panel.getByText(/Waiting since/)).toBeVisible();
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await expect(chat.launcher).toBeFocused();
  await team.claim(chatId, "Priya N.");
  await team.write(chatId, "Hello from the team");
  await expect(chat.launcher).toContainText(/Unread messages: \d/, { timeout: 15_000 });
  await chat.launcher.click();
  await expect(chat.messages("teammate")).toContainText("Hello from the team");
});
