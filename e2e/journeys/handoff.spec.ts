/**
 * Handoffs to the team and back, with the customer's chat and the team console open. They need the embedded
 * channel: its lab scripts the chats, and its console answers them.
 */
import { expect, passToTeam, pollNow, test } from "../support/handoff.ts";
import { team } from "../support/lab.ts";

test("passes a chat to the team until it is resolved; a new chat keeps the draft", { tag: "@phone" }, async ({
  people,
}) => {
  const chat = await people.newCustomer();
  const team = await people.newTeammate("Priya N.");
  await chat.open();
  const says = `It is the rear hub ${Date.now()}`;
  await passToTeam(chat, says);
  await expect(chat.panel).toContainText("Your chat has been passed to our team.");
  await chat.expectAccessible();

  await team.open();
  await expect(team.page.getByRole("link", { name: says })).toBeVisible();
  await team.expectAccessible();
  await team.page.getByRole("link", { name: says }).click();
  await expect(team.page.getByText("maya@example.com").first()).toBeVisible();
  await team.press("Claim");
  await pollNow(chat);
  await expect(chat.panel).toContainText("Priya N. has joined the chat.");
  await expect(chat.panel).toContainText("From our team");
  await team.reply("Hello Maya, bring it in on Tuesday.");
  await pollNow(chat);
  await expect(chat.messages("teammate").last()).toContainText("Hello Maya, bring it in on Tuesday.");
  await team.expectAccessible();

  await chat.composer.fill("One more thing: ");
  await team.press("Resolve");
  await pollNow(chat);
  await expect(chat.panel).toContainText("This chat is closed.");
  await chat.panel.getByRole("button", { name: "New chat" }).last().click();
  await expect(chat.composer).toHaveValue("One more thing: ");
  await chat.ask("Which helmets do you have?");
  await expect(chat.messages("visitor")).toHaveCount(1);
});

test("shows the team's form as cancelled and reopens the offer", { tag: "@rare" }, async ({ people }) => {
  const chat = await people.newCustomer();
  await chat.open();
  await chat.ask("I would like to speak to a person");
  const offer = chat.panel.getByRole("region", { name: "Talk to the team" });
  const accept = offer.getByRole("button", { name: "Talk to the team" });
  await expect(accept).toBeVisible();
  // The offer asks for an email address only outside the team's hours.
  const email = offer.getByLabel("Your email address");
  if ((await email.count()) > 0) await email.fill("maya@example.com");
  await accept.click();
  const form = chat.panel.locator("form", { hasText: "What is it about?" });
  await form.getByText("A repair", { exact: true }).click();
  await form.getByRole("button", { name: "Cancel", exact: true }).click();
  await form.getByRole("button", { name: "Cancel the form" }).click();
  const cancelled = chat.panel.getByText("You cancelled this form.");
  await expect(cancelled).toBeFocused();
  await expect(form).toHaveCount(0);
  await expect(offer).toContainText("The team needs a few more details first.");
  await chat.expectAccessible();
  await accept.click();
  await expect(form).toBeVisible();
  await expect(cancelled).toHaveCount(0);
});

test("shows a teammate's form and returns its answers to the team", async ({ people }) => {
  const { chat, chatId } = await people.customerWith({
    mode: "teammate",
    teammate: "ليلى",
    says: "My chain is loose",
  });
  const teammate = await people.newTeammate("ليلى");
  await expect(chat.panel).toContainText("ليلى");
  await teammate.open(`/chats/${chatId}`);
  const field = { id: "telephone", label: "Telephone number", type: "text" as const };
  await team.ask(chatId, {
    purpose: "So that the workshop can call you",
    fields: [{ field, required: true }],
  });
  await expect(teammate.messages.last()).toContainText("So that the workshop can call you");
  await pollNow(chat);
  const form = chat.panel.locator("form", { hasText: "Telephone number" });
  await form.getByLabel("Telephone number").fill("01632 960123");
  await form.getByRole("button", { name: "Send" }).click();
  // The console polls by itself.
  await expect(teammate.page.locator("#collected-details")).toContainText("01632 960123");
});
