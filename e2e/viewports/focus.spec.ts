/** When a pressed button disappears, the focus moves to the next step, never to the top of the page. */

import { devices, type Locator } from "@playwright/test";
import { aNote } from "../support/attachments.ts";
import { returnForm } from "../support/cards.ts";
import { expect, test } from "../support/chat-page.ts";
import { lab, team } from "../support/lab.ts";

// The narrow viewports stand for desktop windows with a keyboard, not for phones.
// Their browser does not call itself a phone's.
const { userAgent } = devices["Desktop Chrome"];
test.use({ isMobile: false, hasTouch: false, userAgent });

const form = { ...returnForm, fields: returnForm.fields.filter(({ field }) => field.type !== "choice") };

/** Focuses the button and presses Enter. */
async function press(button: Locator): Promise<void> {
  await button.press("Enter");
}

test("keeps the focus after a suggested reply and a refused message", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Which one?", choices: ["The first", "The second"] });
  const reply = await chat.ask("show me");
  await press(reply.getByRole("button", { name: "The second" }));
  await expect(chat.composer).toBeFocused();
  await chat.settled();

  await lab.fault(chatId, { operation: "sendMessage", code: "invalid_request" });
  await chat.send("And now?");
  await press(chat.panel.getByRole("button", { name: "Edit" }));
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue("And now?");

  await lab.deleteChat(chatId);
  await chat.send("Can you hear me?");
  // The button moves from the note to the place of the message field.
  await expect(chat.panel).toContainText("Not sent");
  await expect(chat.panel).toContainText("This chat is no longer available.");
  await press(chat.panel.getByRole("button", { name: "New chat" }));
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue("Can you hear me?");
});

test("keeps the focus after files are removed", async ({ chat }) => {
  await chat.open();
  const remove = (name: string) => chat.panel.getByRole("button", { name: `Remove ${name}` });
  for (const name of ["a.txt", "b.txt", "c.txt"]) {
    await chat.attach(aNote(name));
    await expect(remove(name)).toBeVisible();
  }
  // The file that takes the place of the removed one, else the one before it.
  await press(remove("b.txt"));
  await expect(remove("c.txt")).toBeFocused();
  await press(remove("c.txt"));
  await expect(remove("a.txt")).toBeFocused();
  await press(remove("a.txt"));
  await expect(chat.composer).toBeFocused();
});

test("keeps the focus in a form that is kept, refused and sent", async ({ chat, page }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: form });
  await chat.ask("I want to return something");
  const card = chat.panel.getByRole("region", { name: "Form" });
  await card.getByLabel("Note").fill("half a thought");
  await press(card.getByRole("button", { name: "Cancel" }));
  await press(card.getByRole("button", { name: "Keep it" }));
  await expect(card.getByRole("button", { name: "Cancel" })).toBeFocused();

  // Enter in a field submits, and after a refusal the focus stays in that field.
  const email = card.getByLabel("Email");
  await email.fill("ana@example.com");
  await lab.fault(chatId, { operation: "submitCollection", code: "invalid_submission" });
  await email.press("Enter");
  await expect(card.locator("[data-code=invalid_submission]")).toBeVisible();
  await expect(email).toBeFocused();
  await email.press("Enter");
  await expect(card.getByText("Sent. Thank you.")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(chat.panel.locator(":focus")).toHaveCount(1);
});

test("keeps the focus through a handoff and into the next chat", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Of course.", handoffOffer: true });
  await chat.ask("I would like to speak to a person.");
  const accept = chat.panel.getByRole("button", { name: "Talk to the team" });
  await expect(accept).toBeVisible();
  // The offer asks for an email address only outside the team's hours.
  const email = chat.panel.getByLabel("Your email address");
  if (await email.isVisible()) await email.fill("ana@example.com");
  await press(accept);
  await expect(chat.panel).toContainText("Waiting since");
  await expect(chat.composer).toBeFocused();
  await team.claim(chatId, "Priya N.");
  await expect(chat.panel).toContainText("From our team");
  await team.resolve(chatId);
  await expect(chat.panel).toContainText("This chat is closed.");
  // The button takes the place of the message field, which had the focus.
  const newChat = chat.panel.getByRole("button", { name: "New chat" }).last();
  await expect(newChat).toBeFocused();
  await press(newChat);
  await expect(chat.composer).toBeFocused();
});

test("keeps the focus after forgetting a chat and jumping to the end", async ({ chat, page }) => {
  await chat.start();
  await press(chat.panel.getByRole("button", { name: "New chat" }));
  await expect(chat.composer).toBeFocused();
  await chat.ask("good morning");
  await lab.reply(await chat.chatId(), { text: "A line of many.\n".repeat(120) });
  await chat.ask("more");

  await press(chat.panel.getByRole("button", { name: "More", exact: true }));
  await press(page.getByRole("menuitem", { name: "Previous chats" }));
  const view = chat.panel.getByRole("region", { name: "Previous chats" });
  await press(view.getByRole("button", { name: /^Remove from this list: hello/ }));
  await expect(view.getByRole("button", { name: /good morning/ })).toBeFocused();
  await page.keyboard.press("Escape");

  await chat.panel.getByRole("region", { name: "Messages" }).focus();
  await page.keyboard.press("Home");
  await press(chat.jumpButton);
  await expect(chat.composer).toBeFocused();
});
