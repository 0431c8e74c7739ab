import { expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

/** Codes that refuse a message once: what the customer reads, the button, and whether the message then arrives here. */
const refusals = [
  { code: "invalid_request", text: "not accepted as it is", button: "Edit", leads: "composer" },
  { code: "payload_too_large", text: "too large", button: "Edit", leads: "composer" },
  { code: "file_not_found", text: "no longer available", button: "Attach again", leads: "composer" },
  { code: "idempotency_conflict", text: "could not find this message", button: "Try again", leads: "answer" },
  {
    code: "operation_interrupted",
    text: "could not find this message",
    button: "Try again",
    leads: "answer",
  },
  { code: "operation_superseded", text: "could not find this message", button: "Try again", leads: "answer" },
  { code: "operation_capacity_reached", text: "is full", button: "New chat", leads: "new chat" },
  { code: "chat_closed", text: "is closed", button: "New chat", leads: "new chat" },
] as const;

for (const { code, text, button, leads } of refusals) {
  test(`${code}: "${text}", ${button}`, { tag: "@ours" }, async ({ chat }) => {
    const chatId = await chat.start();
    await lab.fault(chatId, { operation: "sendMessage", code });
    await chat.send("my precious words");
    const note = chat.panel.locator(`[data-code=${code}]`);
    await expect(note).toContainText(text);
    await chat.expectAccessible();
    await note.getByRole("button", { name: button, exact: true }).click();
    if (leads === "answer") {
      await chat.settled();
      await expect(chat.messages("visitor")).toHaveCount(2);
      await expect(chat.messages("agent")).toHaveCount(2);
      return;
    }
    await expect(chat.composer).toHaveValue("my precious words");
    await expect(note).toHaveCount(0);
    if (leads === "new chat") await expect(chat.rows).toHaveCount(0);
    await chat.panel.getByRole("button", { name: "Send", exact: true }).click();
    await chat.settled();
    await expect(chat.messages("visitor").last()).toContainText("my precious words");
  });
}

test("turn_in_progress: the message waits and goes out by itself", { tag: "@ours" }, async ({ chat }) => {
  const chatId = await chat.start();
  await lab.fault(chatId, { operation: "sendMessage", code: "turn_in_progress" });
  await chat.send("hello");
  await expect(chat.panel.getByText("Waiting for the previous answer")).toBeVisible();
  await chat.settled();
  await expect(chat.messages("agent")).toHaveCount(2);
});

test("rate_limited: counts down and goes out by itself", { tag: "@ours" }, async ({ chat }) => {
  const chatId = await chat.start();
  await lab.fault(chatId, { operation: "sendMessage", code: "rate_limited" });
  await chat.send("hello");
  await chat.settled();
  await expect(chat.messages("agent")).toHaveCount(2);
});

test("chat_not_found: a deleted chat says so, and a new one takes the draft along", { tag: "@ours" }, async ({
  chat,
  page,
}) => {
  const chatId = await chat.start();
  await chat.composer.fill("my precious words");
  await lab.deleteChat(chatId);
  await page.reload();
  const note = chat.panel.locator("[data-code=chat_not_found]");
  await expect(note).toContainText("no longer available");
  await note.getByRole("button", { name: "New chat" }).click();
  await expect(chat.composer).toHaveValue("my precious words");
});

test("invalid_id: a link to a chat that cannot be one", async ({ chat, page }) => {
  await page.goto("/?chat=no..such..chat");
  await expect(chat.panel.getByText("This link to a conversation is not valid.")).toBeVisible();
  const note = chat.panel.locator("[data-code=invalid_id]");
  await note.getByRole("button", { name: "New chat" }).click();
  await expect(chat.composer).toBeEditable();
});
