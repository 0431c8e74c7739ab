/** A customer's whole day with the chat, by the keyboard alone: nothing here has a pointer. */
import type { Locator, Page } from "@playwright/test";
import { chats, expect, test } from "../support/chat-page.ts";
import { heldReply, lab, team } from "../support/lab.ts";
import { returnForm } from "../support/return-form.ts";

// A keyboard is attached, in the narrow look, too.
test.use({ isMobile: false, hasTouch: false });
test.describe.configure({ timeout: 120_000 });

const form = { ...returnForm, fields: returnForm.fields.slice(0, 2) };

/** Goes there with Tab, as many times as it takes, and once around at most. */
async function reach(page: Page, wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(wanted).toBeVisible();
  const isThere = () => wanted.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 80; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  expect(await isThere(), `Tab leads to ${wanted}`).toBe(true);
}

test("from the first question to the next chat", { ...chats(2), tag: "@ours" }, async ({ chat, page }) => {
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
  // In a narrow window it opens on its title.
  await reach(page, composer);
  await say("hello");
  await chat.settled();
  const chatId = await chat.chatId();

  // Replies to pick.
  await lab.reply(chatId, { text: "Which one?", choices: ["The first", "The second"] });
  await say("show me");
  await chat.settled();
  await lab.reply(chatId, { text: "Please fill this in.", collection: form });
  await press(chat.lastReply().getByRole("button", { name: "The second" }), "Shift+Tab");
  await chat.settled();

  // A form with faults.
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

  // A file.
  const chooser = page.waitForEvent("filechooser");
  await press(panel.getByRole("button", { name: "Attach files" }), "Shift+Tab");
  await (await chooser).setFiles([
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("the rear hub\n") },
  ]);
  await expect(panel.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
  await reach(page, composer);
  await say("The file");
  await chat.settled();
  await expect(chat.messages("visitor").last()).toContainText("notes.txt");

  // A reply that takes too long.
  await lab.reply(chatId, heldReply());
  await say("tell me everything");
  await expect(panel.locator("[aria-busy=true]")).toContainText("word1");
  await press(panel.getByRole("button", { name: "Stop showing the answer" }));
  await expect(panel.getByText("finishes the answer anyway")).toBeVisible();
  await lab.goOn(chatId);
  await chat.settled();

  // Search, transcript, previous chats.
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

  // A person.
  await lab.reply(chatId, { text: "Of course.", handoffOffer: true });
  await say("I would like to speak to a person");
  await chat.settled();
  const accept = panel.getByRole("button", { name: "Pass me to the team" });
  const email = panel.getByLabel("Your e-mail address");
  await expect(accept).toBeVisible();
  // Asked for while the team is away, which depends on the hour.
  if (await email.isVisible()) {
    await reach(page, email, "Shift+Tab");
    await keyboard.type("ana@example.com");
  }
  await press(accept, "Shift+Tab");
  await expect(panel).toContainText("Waiting since");
  await say("It is the rear hub");
  await chat.settled();
  await team.claim(chatId, "Priya N.");
  await expect(panel).toContainText("You are talking to Priya N.");
  await team.resolve(chatId);
  await expect(panel).toContainText("takes no more messages");
  await press(panel.getByRole("button", { name: "New chat" }).last());
  await say("good morning");
  await chat.settled();
  await expect(chat.messages("visitor")).toHaveCount(1);

  await keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(chat.launcher).toBeFocused();
});
