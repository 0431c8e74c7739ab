import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { limits } from "#lib/chat-api/limits.ts";
import { aNote, aPicture } from "../support/attachments.ts";
import { aChat, expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

test("attaches, sends and opens pictures and documents", { ...aChat, tag: ["@live", "@phone"] }, async ({
  chat,
  page,
}) => {
  await chat.open();
  const chooser = chat.panel.locator("input[type=file]").first();
  const aDrawing = (name: string) => ({ name, mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
  await chooser.setInputFiles([aPicture(), aNote(), aDrawing("drawing.svg")]);
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

  // The note about a rejected file belongs to this chat only.
  await chooser.setInputFiles(aDrawing("again.svg"));
  await expect(attached.getByRole("button", { name: "Remove again.svg" })).toBeVisible();
  await chat.panel.getByRole("button", { name: "New chat" }).click();
  await expect(chat.rows).toHaveCount(0);
  await expect(attached).toBeHidden();
});

test("sends a transparent picture above 4 MiB on a white ground", { tag: "@rare" }, async ({
  chat,
  page,
}) => {
  await chat.open();
  // Noise does not compress, so that the picture is too large; it leaves the left half transparent.
  const side = 1_600;
  const pixels = randomBytes(side * side * 4);
  for (let at = 0; at < pixels.length; at += 4) pixels[at + 3] = (at / 4) % side < side / 2 ? 0 : 255;
  const raw = { width: side, height: side, channels: 4 } as const;
  const buffer = await sharp(pixels, { raw }).png().toBuffer();
  expect(buffer.length).toBeGreaterThan(limits.fileBytes);
  await chat.attach({ name: "logo.png", mimeType: "image/png", buffer });
  await expect(chat.panel.getByRole("button", { name: "Remove logo.jpg" })).toBeVisible();
  await chat.send("My logo");
  await chat.settled();
  const loaded = page.waitForResponse((response) => /\/files\/[^/]+$/.test(response.url()));
  await page.reload();
  const stored = await loaded;
  const left = { left: 100, top: 100, width: side / 2 - 200, height: side - 200 };
  const ground = await sharp(await stored.body())
    .extract(left)
    .raw()
    .toBuffer();
  expect(new Set(ground)).toEqual(new Set([255]));
});

test("holds a message back until its refused file is uploaded under a new key", async ({ chat, page }) => {
  await chat.start();
  await chat.attach(aNote("first.txt"));
  const attached = chat.panel.getByRole("list", { name: "Attached files" });
  await expect(attached).toContainText("first.txt is attached");
  const keys: (string | undefined)[] = [];
  await page.route("**/files", (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    const error = { code: "idempotency_conflict", message: "", requestId: "req_key_was_used" };
    return keys.length === 1 ? route.fulfill({ status: 409, json: { error } }) : route.fallback();
  });
  await chat.attach(aNote());
  await expect(attached.getByRole("alert")).toHaveText("This could not be sent. Nothing is lost.");
  await chat.composer.fill("See my notes");
  // The button says that it is disabled, and a press says why.
  await chat.sendButton.click({ force: true });
  const held = chat.panel.getByText("can’t be sent. Remove it to continue.");
  await expect(held).toBeVisible();
  await expect(chat.composer).toHaveValue("See my notes");
  await chat.expectAccessible();
  await attached.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(attached).toContainText("notes.txt is attached");
  // The focus stays on this file, so that a second press does not remove another one.
  await expect(attached.getByRole("button", { name: "Remove notes.txt" })).toBeFocused();
  expect(new Set(keys).size).toBe(2);
  await expect(held).toBeHidden();
  await chat.sendButton.click();
  await chat.settled();
  await expect(chat.messages("visitor").last()).toContainText(/See my notes.*notes\.txt/);
});

test("keeps attached files across a reload", { ...aChat, tag: ["@live", "@rare"] }, async ({
  chat,
  page,
}) => {
  await chat.open();
  await chat.attach(aPicture());
  await expect(chat.panel.getByRole("button", { name: "Remove hub.png" })).toBeVisible();
  await page.reload();
  await expect(chat.panel.getByRole("button", { name: "Remove hub.png" })).toBeVisible();
  await chat.sendButton.click();
  await chat.settled();
  const opens = chat.messages("visitor").getByRole("button", { name: "Open hub.png" });
  await expect(opens).toBeVisible();

  await page.route("**/files/*", (route) => route.abort());
  await page.reload();
  const failed = chat.messages("visitor").getByRole("button", { name: /hub\.png.*could not be loaded/ });
  await expect(failed).toBeVisible();
  await page.unroute("**/files/*");
  await failed.click();
  await expect(opens).toBeFocused();
});

test("names a file whose upload a reload aborted until it is chosen again", aChat, async ({ chat, page }) => {
  await chat.open();
  const uploads = "**/api/chat/chats/*/files";
  await page.route(uploads, () => undefined, { times: 1 });
  await chat.composer.fill("This is the hub I mean.");
  const uploading = page.waitForRequest(uploads);
  await chat.attach(aPicture());
  await uploading;
  const attached = chat.panel.getByRole("list", { name: "Attached files" });
  for (let reloads = 0; reloads < 2; reloads += 1) {
    await page.reload();
    await expect(attached.getByRole("listitem")).toHaveText([/hub\.png.*is not attached/]);
    await expect(chat.composer).toHaveValue("This is the hub I mean.");
    await expect(chat.sendButton).toHaveAttribute("aria-disabled", "true");
  }
  await chat.expectAccessible();
  const choose = async () => {
    const choosing = page.waitForEvent("filechooser");
    await attached.getByRole("button", { name: "Attach again" }).click();
    return choosing;
  };
  // The name stays when the customer cancels the file dialog.
  await choose();
  await expect(attached.getByRole("listitem")).toHaveText([/hub\.png.*is not attached/]);
  await (await choose()).setFiles(aPicture());
  await expect(attached.getByRole("listitem")).toHaveText([/hub\.png is attached/]);
  await chat.sendButton.click();
  await chat.settled();
  await expect(chat.messages("visitor").getByRole("button", { name: "Open hub.png" })).toBeVisible();
});

test("shows that sent files are gone from the channel", { tag: "@rare" }, async ({ chat, page }) => {
  const chatId = await chat.start();
  const attached = chat.panel.getByRole("list", { name: "Attached files" });
  await chat.attach(aPicture(), aNote());
  await expect(attached.getByRole("button", { name: /^Remove/ })).toHaveCount(2);
  await chat.send("Two files");
  await chat.settled();

  await lab.fault(chatId, { operation: "downloadFile", code: "file_not_found", times: 100 });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/files/")) asked.push(request.url());
  });
  await page.reload();
  const files = chat.messages("visitor").last().getByRole("listitem");
  const [picture, document] = [files.nth(0), files.nth(1)];
  await expect(picture).toHaveText(/^hub\.png\s+No longer available$/);
  await document.getByRole("button").click();
  await expect(document).toHaveText(/^notes\.txt\s+No longer available$/);
  const before = asked.length;
  await document.getByRole("button").press("Enter");
  await chat.ask("Do you deliver to Ireland?");
  expect(asked).toHaveLength(before);
  await chat.expectAccessible();
});

test("keeps every file when too many are attached at once", { tag: "@rare" }, async ({ chat }) => {
  const chatId = await chat.start();
  const attached = chat.panel.getByRole("list", { name: "Attached files" });
  const attach = async (...names: string[]) => {
    await chat.attach(...names.map((name) => aNote(name)));
    for (const name of names) await expect(attached.getByText(`${name} is attached`)).toBeAttached();
  };
  await attach("1.txt", "2.txt");
  await lab.fault(chatId, { operation: "sendMessage", code: "payload_too_large" });
  await chat.send("Two files");
  const refusedMessage = chat.panel.locator("[data-delivery=refused]");
  await expect(refusedMessage).toBeVisible();
  await attach("3.txt", "4.txt", "5.txt");
  await chat.panel.getByRole("button", { name: "Edit" }).click();
  await expect(attached.getByRole("listitem")).toHaveCount(5);
  await expect(chat.panel.getByText("You can attach up to 4 files.")).toBeVisible();
  await expect(chat.sendButton).toHaveAttribute("aria-disabled", "true");
  await attached.getByRole("button", { name: "Remove 3.txt" }).click();
  await chat.sendButton.click();
  await chat.settled();
  await expect(chat.messages("visitor").last()).toContainText("5.txt");
});
