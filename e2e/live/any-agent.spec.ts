/**
 * Tests that hold for any agent at any speed, for `npm run test:live` alone. The journeys test the same
 * behaviour more closely with replies that the lab paces.
 */
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";

test("answers two consecutive messages one after the other", aChat, async ({ chat, page }) => {
  await chat.open();
  const questions = ["My first question: what do you sell?", "My second question: where are you?"];
  for (const question of questions) await chat.send(question);
  await chat.settled();
  const texts = chat.messages("visitor").locator("p[dir=auto]");
  await expect(texts).toHaveText(questions);
  await expect(chat.answers).toHaveCount(2);
  await page.reload();
  await expect(texts).toHaveText(questions);
  await expect(chat.answers).toHaveCount(2);
});

test("shows the same reply in a second tab opened during the turn", aChat, async ({ chat, context }) => {
  await chat.open();
  await chat.send("What can you help me with?");
  const other = new ChatPage(await context.newPage());
  await other.open();
  await Promise.all([chat.settled(), other.settled()]);
  await expect(other.messages("visitor")).toHaveCount(1);
  await expect(other.answers).toHaveCount(1);
  const paragraphs = (of: ChatPage) => of.answers.locator("p[dir=auto]").allTextContents();
  // A form loads a moment after its message.
  await expect
    .poll(async () => JSON.stringify(await paragraphs(other)))
    .toBe(JSON.stringify(await paragraphs(chat)));
});

test("shows the reply in the other tab when the sending tab closes", aChat, async ({ chat, context }) => {
  await chat.open();
  await chat.ask("hello");
  const other = new ChatPage(await context.newPage());
  await other.open();
  await expect(other.messages("visitor")).toHaveCount(1);
  await chat.send("Thank you");
  await expect(chat.panel.locator("[data-role=visitor]").last()).toContainText("Thank you");
  await chat.page.close();
  await expect(other.messages("visitor")).toHaveCount(2);
  await other.settled();
  await expect(other.answers).toHaveCount(2);
});

test("announces a finished reply once and not its parts", aChat, async ({ chat }) => {
  await chat.open();
  const heard = await chat.announcements();
  await chat.ask("What can you help me with?");
  const paragraphs = await chat.answers.first().locator("p[dir=auto]").allTextContents();
  const text = (paragraphs[0] ?? "").trim();
  test.skip(text === "", "the agent answered without text");
  // The chat shortens a long announcement.
  const beginning = text.slice(0, 80);
  await expect.poll(async () => (await heard()).filter((said) => said.includes(beginning))).toHaveLength(1);
  const parts = (await heard()).filter((said) => said !== "" && !said.includes(beginning));
  expect(parts.filter((said) => text.startsWith(said))).toEqual([]);
});

test("reopens a chat from the list of previous chats with all messages", aChat, async ({ chat, page }) => {
  await chat.open();
  await chat.ask("I would like to come back to this");
  await chat.panel.getByRole("button", { name: "New chat" }).first().click();
  await expect(chat.rows).toHaveCount(0);
  await chat.choose("Previous chats");
  await page.getByRole("button", { name: /^I would like to come back to this/ }).click();
  await expect(chat.messages("visitor")).toContainText(["I would like to come back to this"]);
  await expect(chat.answers).toHaveCount(1);
  await chat.expectAccessible();
});
