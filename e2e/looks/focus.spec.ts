/** A button that goes away when it is pressed leaves the keyboard where one goes on, and never at the top of the page. */
import type { Locator } from "@playwright/test";
import { expect, test } from "../support/chat-page.ts";
import { lab, team } from "../support/lab.ts";
import { returnForm } from "../support/return-form.ts";

// A keyboard is attached, in the narrow looks, too.
test.use({ isMobile: false, hasTouch: false });

const note = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from("the rear hub\n") });

const form = { ...returnForm, fields: returnForm.fields.filter(({ field }) => field.type !== "choice") };

/** As the keyboard does it, with the button in focus. */
async function press(button: Locator): Promise<void> {
  await button.press("Enter");
}

test("a reply that is picked, a message that was refused", { tag: "@ours" }, async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Which one?", choices: ["The first", "The second"] });
  const reply = await chat.ask("show me");
  await press(reply.getByRole("button", { name: "The second" }));
  await expect(chat.composer).toBeFocused();
  await chat.settled();

  await lab.fault(chatId, { operation: "sendMessage", code: "chat_not_found" });
  await chat.send("Can you hear me?");
  await press(chat.panel.getByRole("button", { name: "Edit" }));
  await expect(chat.composer).toBeFocused();
  await chat.settled();

  await lab.fault(chatId, { operation: "sendMessage", code: "invalid_request" });
  await chat.send("And now?");
  await press(chat.panel.getByRole("button", { name: "Edit" }));
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue("And now?");
});

test("files that are taken off", { tag: "@ours" }, async ({ chat }) => {
  await chat.open();
  const remove = (name: string) => chat.panel.getByRole("button", { name: `Remove ${name}` });
  for (const name of ["a.txt", "b.txt", "c.txt"]) {
    await chat.panel.locator("input[type=file]").first().setInputFiles(note(name));
    await expect(remove(name)).toBeVisible();
  }
  await press(remove("b.txt"));
  await expect(remove("a.txt")).toBeFocused();
  await press(remove("a.txt"));
  await expect(remove("c.txt")).toBeFocused();
  await press(remove("c.txt"));
  await expect(chat.composer).toBeFocused();
});

test("a form: kept, refused, sent", { tag: "@ours" }, async ({ chat, page }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: form });
  await chat.ask("I want to return something");
  const card = chat.panel.getByRole("region", { name: "Form" });
  await card.getByLabel("Note").fill("half a thought");
  await press(card.getByRole("button", { name: "Cancel" }));
  await press(card.getByRole("button", { name: "Keep it" }));
  await expect(card.getByRole("button", { name: "Cancel" })).toBeFocused();

  // Enter in a field sends: it is in that field that one goes on when nothing came of it.
  const email = card.getByLabel("E-mail");
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

test("the way to a person, and to the next chat", { tag: "@ours" }, async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Of course.", handoffOffer: true });
  await chat.ask("I would like to speak to a person.");
  const accept = chat.panel.getByRole("button", { name: "Pass me to the team" });
  await expect(accept).toBeVisible();
  // Asked for while the team is away, which depends on the hour.
  const email = chat.panel.getByLabel("Your e-mail address");
  if (await email.isVisible()) await email.fill("ana@example.com");
  await press(accept);
  await expect(chat.panel).toContainText("Waiting since");
  await expect(chat.composer).toBeFocused();
  await team.claim(chatId, "Priya N.");
  await expect(chat.panel).toContainText("You are talking to Priya N.");
  await team.resolve(chatId);
  await expect(chat.panel).toContainText("takes no more messages");
  await expect(chat.panel.getByRole("region", { name: "Messages" })).toBeFocused();
  await press(chat.panel.getByRole("button", { name: "New chat" }).last());
  await expect(chat.composer).toBeFocused();
});

test("a chat that is forgotten, the end of a long one", { tag: "@ours" }, async ({ chat, page }) => {
  await chat.start();
  await press(chat.panel.getByRole("button", { name: "New chat" }));
  await expect(chat.composer).toBeFocused();
  await chat.ask("good morning");
  await lab.reply(await chat.chatId(), { text: "A line of many.\n".repeat(120) });
  await chat.ask("more");

  await press(chat.panel.getByRole("button", { name: "More" }));
  await press(page.getByRole("menuitem", { name: "Previous chats" }));
  const view = chat.panel.getByRole("region", { name: "Previous chats" });
  await press(view.getByRole("button", { name: /^Remove from this list: hello/ }));
  await expect(view.getByRole("button", { name: /good morning/ })).toBeFocused();
  await page.keyboard.press("Escape");

  await chat.panel.getByRole("region", { name: "Messages" }).focus();
  await page.keyboard.press("Home");
  await press(chat.panel.getByRole("button", { name: "Jump to the latest message" }));
  await expect(chat.composer).toBeFocused();
});
