import { aChat, expect, test } from "../support/chat-page.ts";

/** One red pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

test("pictures and documents are attached, sent and looked at", aChat, async ({ chat, page }) => {
  await chat.open();
  const chooser = chat.panel.locator("input[type=file]").first();
  await chooser.setInputFiles([
    { name: "hub.png", mimeType: "image/png", buffer: png },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("the rear hub\n") },
    { name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") },
  ]);
  const attached = chat.panel.getByRole("list", { name: "Attached files" });
  await expect(attached.getByRole("button", { name: "Remove hub.png" })).toBeVisible();
  await expect(attached.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
  await expect(attached.getByText("Use JPEG, PNG, GIF, WebP, PDF or plain text.")).toBeVisible();
  await chat.expectAccessible();
  await attached.getByRole("button", { name: "Remove drawing.svg" }).click();

  await chat.send("Two files");
  await chat.settled();
  const message = chat.messages("visitor").last();
  await message.getByRole("button", { name: "Open hub.png" }).click();
  const picture = page.getByRole("dialog", { name: "Picture" });
  await expect(picture.getByRole("img", { name: "hub.png" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(picture).toBeHidden();
  await expect(chat.composer).toBeVisible();

  const download = page.waitForEvent("download");
  await message.getByRole("button", { name: /^notes\.txt .* Download$/ }).click();
  expect((await download).suggestedFilename()).toBe("notes.txt");
});

test("a file beyond 4 MB is explained before it is sent", async ({ chat }) => {
  await chat.open();
  await chat.panel
    .locator("input[type=file]")
    .first()
    .setInputFiles([
      { name: "manual.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(4_194_305, "%") },
    ]);
  await expect(chat.panel.getByText("The largest file is 4 MB.")).toBeVisible();
  await expect(chat.sendButton).toHaveAttribute("aria-disabled", "true");
});

test("attached files are kept over a reload", aChat, async ({ chat, page }) => {
  await chat.open();
  await chat.panel
    .locator("input[type=file]")
    .first()
    .setInputFiles([{ name: "hub.png", mimeType: "image/png", buffer: png }]);
  await expect(chat.panel.getByRole("button", { name: "Remove hub.png" })).toBeVisible();
  await page.reload();
  await expect(chat.panel.getByRole("button", { name: "Remove hub.png" })).toBeVisible();
  await chat.sendButton.click();
  await chat.settled();
  await expect(chat.messages("visitor").getByRole("button", { name: "Open hub.png" })).toBeVisible();
});
