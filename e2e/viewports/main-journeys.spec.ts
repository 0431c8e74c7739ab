/** The main journeys in the project's viewport and colour scheme, with axe after their main steps. */
import { aNote } from "../support/attachments.ts";
import { expect, test } from "../support/chat-page.ts";
import { helmet, repair } from "../support/helmet-and-repair.ts";
import { lab, team } from "../support/lab.ts";
import { returnForm } from "../support/return-form.ts";

test("shows a reply with sources, products, orders and suggested replies", { tag: "@ours" }, async ({
  chat,
}) => {
  const chatId = await chat.start("/");
  await lab.reply(chatId, {
    text: "Here is what I found.",
    citations: [{ title: "Sizes", url: "https://shop.tarn-and-tread.example/help/sizes", updatedAt: null }],
    products: [helmet, { ...helmet, id: "merlin", inStock: null, price: null }],
    orders: [repair],
    choices: ["Call the workshop", "Thank you"],
  });
  const reply = await chat.ask("what do you know?");
  await reply.getByText("1 source").click();
  await expect(reply.getByRole("link", { name: /^Sizes/ })).toBeVisible();
  await expect(reply.getByRole("list", { name: "Products" }).getByRole("listitem").first()).toContainText(
    "£64",
  );
  await expect(reply.getByText("W-2231")).toBeVisible();
  await chat.expectAccessible();
  await reply.getByRole("button", { name: "Thank you" }).click();
  await chat.settled();
  await expect(chat.messages("visitor").last()).toContainText("Thank you");
});

test("corrects and sends a form, then sends a file", { tag: "@ours" }, async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, {
    text: "Please fill this in.",
    collection: { ...returnForm, fields: returnForm.fields.slice(0, 1) },
  });
  await chat.ask("I want to return something");
  const card = chat.panel.getByRole("region", { name: "Form" });
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByLabel("Email")).toBeFocused();
  await chat.expectAccessible();
  await card.getByLabel("Email").fill("ana@example.com");
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByText("Sent. Thank you.")).toBeVisible();

  await chat.attach(aNote());
  await expect(chat.panel.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
  await chat.expectAccessible();
  await chat.send("The file");
  await chat.settled();
  await expect(
    chat
      .messages("visitor")
      .last()
      .getByRole("button", { name: /^notes\.txt/ }),
  ).toBeVisible();
});

test("recovers from an error, reaches a person and ends the chat", { tag: "@ours" }, async ({ chat }) => {
  const chatId = await chat.start();
  await lab.fault(chatId, { operation: "sendMessage", code: "invalid_request" });
  await chat.send("Can you hear me?");
  const note = chat.panel.locator("[data-code=invalid_request]");
  await expect(note).toContainText("not accepted as it is");
  await chat.expectAccessible();
  await note.getByRole("button", { name: "Edit" }).click();
  await expect(chat.composer).toHaveValue("Can you hear me?");

  await lab.reply(chatId, { text: "Of course.", handoffOffer: true });
  await chat.ask("I would like to speak to a person.");
  const accept = chat.panel.getByRole("button", { name: "Talk to the team" });
  await expect(accept).toBeVisible();
  await chat.expectAccessible();
  // The offer asks for an email address only outside the team's hours.
  const email = chat.panel.getByLabel("Your email address");
  if (await email.isVisible()) await email.fill("ana@example.com");
  await accept.click();
  await expect(chat.panel).toContainText("Waiting since");
  await chat.expectAccessible();
  await team.claim(chatId, "Priya N.");
  await expect(chat.panel).toContainText("From our team");
  await team.resolve(chatId);
  await expect(chat.panel).toContainText("This chat is closed.");
  await chat.expectAccessible();
});

test("opens search, transcript and previous chats from the menu by keyboard", { tag: "@ours" }, async ({
  chat,
  page,
}) => {
  await chat.start();
  await chat.ask("Do you deliver to Ireland?");
  const more = chat.panel.getByRole("button", { name: "More" });
  await more.press("Enter");
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem", { name: "Search this chat" })).toBeFocused();
  await chat.expectAccessible();
  await page.keyboard.press("ArrowDown");
  await expect(menu.getByRole("menuitem", { name: "Previous chats" })).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  await expect(menu.getByRole("menuitem", { name: "Search this chat" })).toBeFocused();
  await page.keyboard.press("Enter");

  const field = chat.panel.getByRole("searchbox", { name: "Search in this chat" });
  await expect(field).toBeFocused();
  await field.fill("ireland");
  await expect(chat.panel.getByText(/^1 of \d+ messages?$/)).toBeVisible();
  await field.press("Enter");
  await chat.expectAccessible();
  await field.press("Escape");
  await expect(field).toBeHidden();
  await expect(chat.panel).toBeVisible();

  await more.click();
  const download = page.waitForEvent("download");
  await menu.getByRole("menuitem", { name: "Download as text" }).click();
  expect((await download).suggestedFilename()).toMatch(/chat\.txt$/);

  await more.click();
  await menu.getByRole("menuitem", { name: "Previous chats" }).click();
  await expect(chat.panel.getByText("On screen now")).toBeVisible();
  await chat.expectAccessible();
});
