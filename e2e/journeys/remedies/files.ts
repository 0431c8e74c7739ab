/** Codes of attaching and sending files. */
import type { Locator } from "@playwright/test";
import { limits } from "#lib/chat-api/limits.ts";
import {
  expect,
  expectDelivered,
  expectNewChatWithDraft,
  expectNote,
  type Journey,
  newKey,
  openChat,
  press,
  type Stage,
  sendAndSee,
  text,
} from "./stage.ts";

const note = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("Serial number 4711") };

function chips({ chat }: Stage): Locator {
  return chat.panel.getByRole("list", { name: "Attached files" }).getByRole("listitem");
}

async function attach({ chat }: Stage, file: { name: string; mimeType: string; buffer: Buffer }) {
  await chat.panel.locator("input[type=file][multiple]").setInputFiles(file);
}

/** Attaches the note, and gives its ID once it is stored. */
async function attachNote(stage: Stage): Promise<string> {
  const stored = stage.page.waitForResponse((response) => response.url().endsWith("/files") && response.ok());
  await attach(stage, note);
  const { item } = await (await stored).json();
  await expect(chips(stage)).toContainText(["is attached"]);
  return item.id;
}

/** A file was attached yesterday and never sent. */
export const fileNotFound: Journey = async (stage) => {
  const { chat, lab } = stage;
  await openChat(stage);
  await attachNote(stage);
  await lab.advance(25 * 60 * 60);
  await chat.send(text);
  const found = await expectNote(stage, "file_not_found", /no longer available/i);
  await press(stage, found, "Attach again");
  await expect(chat.composer).toHaveValue(text);
  await attachNote(stage);
  await chat.sendButton.click();
  await expectDelivered(stage);
  await expect(chat.messages("visitor")).toContainText(["note.txt"]);
};

export const fileNotReady: Journey = async (stage) => {
  const { chat, lab, page } = stage;
  await openChat(stage);
  const fileId = await attachNote(stage);
  await lab.setFileReady(fileId, false);
  let refusals = 0;
  page.on("response", (response) => {
    if (response.request().method() === "POST" && !response.ok()) refusals += 1;
  });
  await sendAndSee(stage, () => expect(chat.panel.locator("[data-delivery=waiting]")).toBeVisible());
  // It tries twice more by itself.
  await expect
    .poll(() =>
      page.clock.fastForward(5_000).then(() => chat.panel.locator("[data-delivery=refused]").count()),
    )
    .toBe(1);
  expect(refusals).toBe(3);
  const found = await expectNote(stage, "file_not_ready", /not ready/i);
  await lab.setFileReady(fileId, true);
  await press(stage, found, "Upload again");
  await expectDelivered(stage);
};

/** The chip says what is wrong; text can still be sent, and a new chat takes it along. */
async function refusedUpload(stage: Stage, says: RegExp): Promise<void> {
  const { chat } = stage;
  await chat.composer.fill(text);
  await attach(stage, note);
  await expect(chips(stage)).toContainText([says]);
}

export const fileLimitReached: Journey = async (stage) => {
  const chatId = await openChat(stage);
  for (let number = 0; number < limits.filesPerChat; number += 1) {
    const bytes = new Blob([`File ${number}`], { type: "text/plain" });
    const upload = { bytes, filename: `${number}.txt`, mediaType: "text/plain" };
    await stage.client.uploadFile(chatId, upload, { idempotencyKey: newKey() });
  }
  await refusedUpload(stage, /no more files/i);
  await expectNote(stage, "file_limit_reached", /no more files/i);
  await stage.chat.panel.locator("[data-code]").getByRole("button", { name: "New chat" }).click();
  await expectNewChatWithDraft(stage);
  await expectDelivered(stage);
};

export const fileStorageLimit: Journey = async (stage) => {
  const { chat, lab } = stage;
  await openChat(stage);
  await lab.addFault({ operation: "uploadFile", fault: "error", code: "file_storage_limit" });
  await refusedUpload(stage, /no room/i);
  const found = await expectNote(stage, "file_storage_limit", /no room/i);
  const choosing = stage.page.waitForEvent("filechooser");
  await press(stage, found, "Choose another file");
  await (await choosing).setFiles({ ...note, name: "smaller.txt" });
  await expect(chips(stage).filter({ hasText: "smaller.txt" })).toContainText(["is attached"]);
  await expect(chat.composer).toHaveValue(text);
};

/** Named as a picture, and a page in truth. */
export const unsupportedFile: Journey = async (stage) => {
  const { chat, page } = stage;
  await openChat(stage);
  await chat.composer.fill(text);
  const html = Buffer.from("<!doctype html><title>No picture</title><p>Not at all");
  await attach(stage, { name: "picture.png", mimeType: "image/png", buffer: html });
  const found = await expectNote(stage, "unsupported_file", /use jpeg, png/i);
  const choosing = page.waitForEvent("filechooser");
  await press(stage, found, "Choose another file");
  await (await choosing).setFiles(note);
  await expect(chips(stage).filter({ hasText: "note.txt" })).toContainText(["is attached"]);
  await expect(chat.composer).toHaveValue(text);
};

/** Seen before it is sent, with its size. */
export const payloadTooLargeAsFile: Journey = async (stage) => {
  const { chat } = stage;
  await openChat(stage);
  await chat.composer.fill(text);
  const buffer = Buffer.alloc(limits.fileBytes + 1, "a");
  await attach(stage, { name: "long.txt", mimeType: "text/plain", buffer });
  await expect(chips(stage)).toContainText([/largest file is 4/i]);
  await chips(stage).getByRole("button", { name: "Remove long.txt" }).click();
  await chat.sendButton.click();
  await expectDelivered(stage);
};
