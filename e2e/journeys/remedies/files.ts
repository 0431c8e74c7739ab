/** Remedies for errors of attaching and sending files. */
import type { Locator } from "@playwright/test";
import { limits } from "#lib/chat-api/limits.ts";
import {
  changeUnnoticed,
  expect,
  expectDelivered,
  expectEnd,
  expectNote,
  type Journey,
  newKey,
  openChat,
  press,
  type RemedyFixtures,
  sendAndCheck,
  sendDraftInNewChat,
  text,
} from "./remedy-test.ts";

const note = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("Serial number 4711") };

function chips({ chat }: RemedyFixtures): Locator {
  return chat.panel.getByRole("list", { name: "Attached files" }).getByRole("listitem");
}

async function attach({ chat }: RemedyFixtures, file: { name: string; mimeType: string; buffer: Buffer }) {
  await chat.panel.locator("input[type=file][multiple]").setInputFiles(file);
}

/** Attaches the note and returns its ID once it is stored. */
async function attachNote(fixtures: RemedyFixtures): Promise<string> {
  const stored = fixtures.page.waitForResponse(
    (response) => response.url().endsWith("/files") && response.ok(),
  );
  await attach(fixtures, note);
  const { item } = await (await stored).json();
  await expect(chips(fixtures)).toContainText(["is attached"]);
  return item.id;
}

/** A file was attached yesterday and never sent. */
export const fileNotFound: Journey = async (fixtures) => {
  const { chat, lab } = fixtures;
  await openChat(fixtures);
  await attachNote(fixtures);
  await lab.advance(25 * 60 * 60);
  await chat.send(text);
  const found = await expectNote(fixtures, "file_not_found", /no longer available/i);
  await press(fixtures, found, "Attach again");
  await expect(chat.composer).toHaveValue(text);
  await expect(chips(fixtures)).toHaveText([/note\.txt.*is not attached/]);
  await attachNote(fixtures);
  await chat.sendButton.click();
  await expectDelivered(fixtures);
  await expect(chat.messages("visitor")).toContainText(["note.txt"]);
};

export const fileNotReady: Journey = async (fixtures) => {
  const { chat, lab, page } = fixtures;
  await openChat(fixtures);
  const fileId = await attachNote(fixtures);
  await lab.setFileReady(fileId, false);
  let refusals = 0;
  page.on("response", (response) => {
    if (response.request().method() === "POST" && !response.ok()) refusals += 1;
  });
  const waiting = chat.panel.locator("[data-delivery=waiting]");
  await sendAndCheck(fixtures, () => expect(waiting).toContainText("Waiting for the file to be ready…"));
  // The page retries twice by itself.
  await expect
    .poll(() =>
      page.clock.fastForward(5_000).then(() => chat.panel.locator("[data-delivery=refused]").count()),
    )
    .toBe(1);
  expect(refusals).toBe(3);
  const found = await expectNote(fixtures, "file_not_ready", /not ready/i);
  await lab.setFileReady(fileId, true);
  await press(fixtures, found, "Try again");
  await expectDelivered(fixtures);
};

/** The chip shows the reason, and the text waits for the customer's decision. */
async function refusedUpload(fixtures: RemedyFixtures, says: RegExp): Promise<void> {
  const { chat } = fixtures;
  await chat.composer.fill(text);
  await attach(fixtures, note);
  await expect(chips(fixtures)).toContainText([says]);
  await expect(chat.sendButton).toHaveAttribute("aria-disabled", "true");
}

export const fileLimitReached: Journey = async (fixtures) => {
  const { client, page } = fixtures;
  const chatId = await openChat(fixtures, {
    mode: "teammate",
    teammate: "Zoë",
    handoff: { status: "claimed" },
  });
  for (let number = 0; number < limits.filesPerChat; number += 1) {
    const bytes = new Blob([`File ${number}`], { type: "text/plain" });
    const upload = { bytes, filename: `${number}.txt`, mediaType: "text/plain" };
    const { item } = await client.uploadFile(chatId, upload, { idempotencyKey: newKey() });
    await client.sendMessage(chatId, { fileIds: [item.id] }, { idempotencyKey: newKey() });
  }
  await page.clock.fastForward(2_000);
  await expect(fixtures.chat.messages("visitor").last()).toContainText("39.txt");
  await refusedUpload(fixtures, /can’t add more files/i);
  await expectNote(fixtures, "file_limit_reached", /can’t add more files/i);
  await fixtures.chat.panel.locator("[data-code]").getByRole("button", { name: "New chat" }).click();
  await removeLostFile(fixtures);
  await sendDraftInNewChat(fixtures);
  await expectDelivered(fixtures);
};

/** A new chat names the file that it did not take over, and holds the text back for it. */
async function removeLostFile(fixtures: RemedyFixtures): Promise<void> {
  await expect(chips(fixtures)).toHaveText([/note\.txt.*is not attached/]);
  await expect(fixtures.chat.sendButton).toHaveAttribute("aria-disabled", "true");
  await chips(fixtures).getByRole("button", { name: "Remove note.txt" }).click();
}

/** The page says once that the chat has ended, and the text moves to the new chat. */
export const chatClosedDuringUpload: Journey = async (fixtures) => {
  const chatId = await openChat(fixtures);
  await fixtures.chat.composer.fill(text);
  await changeUnnoticed(
    fixtures,
    () => fixtures.lab.resolve(chatId),
    () => attach(fixtures, note),
  );
  const end = await expectEnd(fixtures, "chat_closed", /closed/i);
  await end.getByRole("button", { name: "New chat" }).click();
  await removeLostFile(fixtures);
  await sendDraftInNewChat(fixtures);
};

export const fileStorageLimit: Journey = async (fixtures) => {
  const { chat, lab } = fixtures;
  await openChat(fixtures);
  await lab.addFault({ operation: "uploadFile", fault: "error", code: "file_storage_limit" });
  await refusedUpload(fixtures, /no room/i);
  const found = await expectNote(fixtures, "file_storage_limit", /no room/i);
  const choosing = fixtures.page.waitForEvent("filechooser");
  await press(fixtures, found, "Choose another file");
  await (await choosing).setFiles({ ...note, name: "smaller.txt" });
  await expect(chips(fixtures).filter({ hasText: "smaller.txt" })).toContainText(["is attached"]);
  await expect(chat.composer).toHaveValue(text);
};

/** An HTML file with the name of a picture. */
export const unsupportedFile: Journey = async (fixtures) => {
  const { chat, page } = fixtures;
  await openChat(fixtures);
  await chat.composer.fill(text);
  const html = Buffer.from("<!doctype html><title>No picture</title><p>Not at all");
  await attach(fixtures, { name: "picture.png", mimeType: "image/png", buffer: html });
  const found = await expectNote(fixtures, "unsupported_file", /use jpeg, png/i);
  const choosing = page.waitForEvent("filechooser");
  await press(fixtures, found, "Choose another file");
  await (await choosing).setFiles(note);
  await expect(chips(fixtures).filter({ hasText: "note.txt" })).toContainText(["is attached"]);
  await expect(chat.composer).toHaveValue(text);
};

/** The page refuses the file by its size, before the upload. */
export const tooLarge: Journey = async (fixtures) => {
  const { chat } = fixtures;
  await openChat(fixtures);
  await chat.composer.fill(text);
  const buffer = Buffer.alloc(limits.fileBytes + 1, "a");
  await attach(fixtures, { name: "long.txt", mimeType: "text/plain", buffer });
  await expect(chips(fixtures)).toContainText([/over the 4 MB limit/]);
  await chips(fixtures).getByRole("button", { name: "Remove long.txt" }).click();
  await chat.sendButton.click();
  await expectDelivered(fixtures);
};
