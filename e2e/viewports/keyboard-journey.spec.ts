/** A complete visit to the chat by keyboard alone. */
import type { Locator, Page } from "@playwright/test";
import { aNote } from "../support/attachments.ts";
import { chats, expect, test } from "../support/chat-page.ts";
import { heldReply, lab, team } from "../support/lab.ts";
import { returnForm } from "../support/return-form.ts";

// The narrow viewport stands for a desktop window with a keyboard, not for a phone.
test.use({ isMobile: false, hasTouch: false });
test.describe.configure({ timeout: 120_000 });

const form = { ...returnForm, fields: returnForm.fields.slice(0, 2) };

/** Presses Tab until the element has the focus, for at most one round. */
async function reach(page: Page, wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(wanted).toBeVisible();
  const isThere = () => wanted.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 80; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  expect(await isThere(), `Tab leads to ${wanted}`).toBe(true);
}

test("leads from the first question to the next chat by keyboard", { ...chats(2), tag: "@ours" }, async ({
  chat,
  page,
}) => {
  const { keyboard } = page;
  const { composer, panel } = chat;
  const press = async (wanted: Locator, way: "Tab" | "Shift+Tab" = "Tab") => {
    await reach(page, wanted, way);
    await keyboard.press("Enter");
  };
  const say = async (text: string) => {
    await expect(composer).toBeFocused();
    await keyboard.type(text);
    await keyboard.press("Enter");
  };

  await page.goto("/about");
  await press(chat.launcher);
  // In a narrow window the panel opens with the focus on its title.
  await reach(page, composer);
  await say("hello");
  await chat.settled();
  const chatId = await chat.chatId();

  // Suggested replies.
  await lab.reply(chatId, { text: "Which one?", choices: ["The first", "The second"] });
  await say("show me");
  await chat.settled();
  await lab.reply(chatId, { text: "Please fill this in.", collection: form });
  await press(chat.lastReply().getByRole("button", { name: "The second" }), "Shift+Tab");
  await chat.settled();

  // A form with invalid answers.
  const card = panel.getByRole("region", { name: "Form" });
  await press(card.getByRole("button", { name: "Send" }), "Shift+Tab");
  await expect(card.getByLabel("E-mail")).toBeFocused();
  await keyboard.type("ana@example.com");
  await keyboard.press("Tab");
  await keyboard.press("ArrowDown");
  await expect(card.getByLabel("Damaged")).toBeChecked();
  await keyboard.press("Enter");
  await expect(card.getByText("Sent. Thank you.")).toBeFocused();
  await reach(page, composer);

  // An attached file.
  const chooser = page.waitForEvent("filechooser");
  await press(panel.getByRole("button", { name: "Attach files" }), "Shift+Tab");
  await (await chooser).setFiles([aNote()]);
  await expect(panel.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
  await reach(page, composer);
  await say("The file");
  await chat.settled();
  await expect(chat.messages("visitor").last()).toContainText("notes.txt");

  // A slow reply that the customer stops.
  await lab.reply(chatId, heldReply());
  await say("tell me everything");
  await expect(panel.locator("[aria-busy=true]")).toContainText("word1");
  await press(panel.getByRole("button", { name: "Stop showing the answer" }));
  await expect(panel.getByText("finishes the answer anyway")).toBeVisible();
  await lab.continueReply(chatId);
  await chat.settled();

  // Search, transcript and previous chats.
  const more = panel.getByRole("button", { name: "More" });
  const menu = page.getByRole("menu");
  const choose = async (name: string) => {
    await press(more, "Shift+Tab");
    const item = menu.getByRole("menuitem", { name });
    await expect(menu.locator(":focus")).toHaveCount(1);
    for (let steps = 0; steps < 8; steps += 1) {
      if (await item.evaluate((element) => element === document.activeElement)) break;
      await keyboard.press("ArrowDown");
    }
    await expect(item).toBeFocused();
    await keyboard.press("Enter");
  };
  await choose("Search this chat");
  await expect(panel.getByRole("searchbox")).toBeFocused();
  await keyboard.type("word39");
  await expect(panel.getByText("1 of 1 message")).toBeVisible();
  await keyboard.press("Escape");
  await expect(composer).toBeFocused();
  const download = page.waitForEvent("download");
  await choose("Download as text");
  expect((await download).suggestedFilename()).toMatch(/chat\.txt$/);
  await choose("Previous chats");
  await press(panel.getByRole("button", { name: /^hello.*On screen now/ }));
  await expect(composer).toBeFocused();

  // The handoff to a person.
  await lab.reply(chatId, { text: "Of course.", handoffOffer: true });
  await say("I would like to speak to a person");
  await chat.settled();
  const accept = panel.getByRole("button", { name: "Talk to the team" });
  const email = panel.getByLabel("Your e-mail address");
  await expect(accept).toBeVisible();
  // The offer asks for an e-mail address only outside the team's hours.
  if (await email.isVisible()) {
    await reach(page, email, "Shift+Tab");
    await keyboard.type("ana@example.com");
  }
  await press(accept, "Shift+Tab");
  await expect(panel).toContainText("Waiting since");
  await say("It is the rear hub");
  await chat.settled();
  await team.claim(chatId, "Priya N.");
  await expect(panel).toContainText("From our team");
  await team.resolve(chatId);
  await expect(panel).toContainText("This chat is closed.");
  await press(panel.getByRole("button", { name: "New chat" }).last());
  await say("good morning");
  await chat.settled();
  await expect(chat.messages("visitor")).toHaveCount(1);

  await keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(chat.launcher).toBeFocused();
});
