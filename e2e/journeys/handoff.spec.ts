/**
 * The way from the agent to people and back, with both pages open: the customer's chat and the team's console. The lab
 * and the team's words are of the embedded channel alone.
 */
import { expect, news, passToTeam, test } from "../support/handoff.ts";
import { heldReply, lab } from "../support/lab.ts";

test("details, waiting, claimed, answered, resolved; a new chat takes the draft along", {
  tag: "@ours",
}, async ({ stage }) => {
  const chat = await stage.newCustomer();
  const team = await stage.newTeammate("Priya N.");
  await chat.open("/about");
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
  await news(chat);
  await expect(chat.panel).toContainText("Priya N. has joined the chat.");
  await expect(chat.panel).toContainText("You are talking to Priya N.");
  await team.reply("Hello Maya, bring it in on Tuesday.");
  await news(chat);
  await expect(chat.messages("teammate").last()).toContainText("Hello Maya, bring it in on Tuesday.");
  await team.expectAccessible();

  await chat.composer.fill("One more thing: ");
  await team.press("Resolve");
  await news(chat);
  await expect(chat.panel).toContainText("takes no more messages");
  await chat.panel.getByRole("button", { name: "New chat" }).last().click();
  await expect(chat.composer).toHaveValue("One more thing: ");
  await chat.ask("Which helmets do you have?");
  await expect(chat.messages("visitor")).toHaveCount(1);
});

test("returned to the agent, which answers again", { tag: "@ours" }, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith({ mode: "waiting", says: "My brakes squeal" });
  const team = await stage.newTeammate("Zoë");
  await team.open(`/chats/${chatId}`);
  await team.press("Claim");
  await team.press("Return to the agent");
  await news(chat);
  await expect(chat.panel).toContainText("Zoë has left the chat.");
  const reply = await chat.ask("Do you deliver to Ireland?");
  await expect(reply).toContainText("Ireland");
});

test("failed: the customer is told, and can ask again", { tag: "@ours" }, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith({ mode: "waiting", says: "My lamp is dark" });
  const team = await stage.newTeammate("Tomasz K. 🔧");
  await team.open(`/chats/${chatId}`);
  await team.press("Could not be reached");
  await news(chat);
  await expect(chat.panel).toContainText("Your request did not reach the team.");
  await chat.panel.getByRole("button", { name: "Ask again" }).click();
  await expect(chat.panel.getByRole("button", { name: "Pass me to the team" })).toBeVisible();
});

test("nobody comes: after a while the customer is told that they may leave", { tag: "@ours" }, async ({
  stage,
}) => {
  const { chat } = await stage.customerWith({ mode: "waiting", says: "Is anybody there?" });
  await expect(chat.panel).toContainText("Waiting since");
  await expect(chat.panel).not.toContainText("Nobody has joined yet. You may leave");
  await chat.page.clock.fastForward(5 * 60_000);
  await expect(chat.panel).toContainText("Nobody has joined yet. You may leave");
});

test("a teammate asks for details by a form", { tag: "@ours" }, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith({
    mode: "teammate",
    teammate: "ليلى",
    says: "My chain is loose",
  });
  const team = await stage.newTeammate("ليلى");
  await expect(chat.panel).toContainText("ليلى");
  await team.open(`/chats/${chatId}`);
  await team.page.getByText("Ask for details", { exact: true }).click();
  await team.page.getByLabel("Why you ask").fill("So that the workshop can call you");
  await team.page.getByLabel("Question").first().fill("Telephone number");
  await team.page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(team.page.locator("#messages")).toContainText("So that the workshop can call you");
  await news(chat);
  const form = chat.panel.locator("form", { hasText: "Telephone number" });
  await form.getByLabel("Telephone number").fill("01632 960123");
  await form.getByRole("button", { name: "Send" }).click();
  // The console looks for news by itself.
  await expect(team.page.locator("#collected")).toContainText("01632 960123");
});

test("two customers and two teammates at once: nobody sees what is another's", { tag: "@ours" }, async ({
  stage,
}) => {
  const [ann, ben] = await Promise.all([
    stage.customerWith({ mode: "waiting", says: "I am Ann" }),
    stage.customerWith({ mode: "waiting", says: "I am Ben" }),
  ]);
  const [priya, zoe] = await Promise.all([stage.newTeammate("Priya N."), stage.newTeammate("Zoë")]);
  await Promise.all([priya.open(`/chats/${ann.chatId}`), zoe.open(`/chats/${ben.chatId}`)]);
  await Promise.all([priya.press("Claim"), zoe.press("Claim")]);
  await Promise.all([priya.reply("Hello Ann"), zoe.reply("Hello Ben")]);
  await Promise.all([news(ann.chat), news(ben.chat)]);
  await expect(ann.chat.messages("teammate")).toHaveCount(1);
  await expect(ben.chat.messages("teammate")).toHaveCount(1);
  await expect(ann.chat.messages("teammate")).toContainText("Hello Ann");
  await expect(ben.chat.messages("teammate")).toContainText("Hello Ben");
});

test("a teammate takes the chat over in the middle of the agent's reply", { tag: "@ours" }, async ({
  stage,
}) => {
  const { chat, chatId } = await stage.customerWith({ mode: "agent", says: "Good morning" });
  const team = await stage.newTeammate("Priya N.");
  await team.open(`/chats/${chatId}`);
  await lab.reply(chatId, heldReply());
  await chat.send("Tell me everything");
  await expect(chat.panel.locator("[aria-busy=true]")).toContainText("word1");
  await team.press("Take over from the agent");
  await expect(chat.panel).toContainText("Priya N. has joined the chat.");
  await expect(chat.panel).not.toContainText("word39");
  await team.reply("I take over from here.");
  await news(chat);
  await expect(chat.messages("teammate")).toContainText("I take over from here.");
  await expect(chat.messages("visitor").filter({ hasText: "Tell me everything" })).toHaveCount(1);
});
