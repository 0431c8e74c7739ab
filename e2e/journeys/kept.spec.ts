/** Drafts, files and unsent messages stay with their chat and their customer. */
import { aNote } from "../support/attachments.ts";
import { aChat, chats, expect, test } from "../support/chat-page.ts";
import { team } from "../support/lab.ts";

test("leads from the beginning of a new chat back to the last one", chats(1), async ({ chat }) => {
  await chat.start();
  await chat.panel.getByRole("button", { name: "New chat" }).click();
  await expect(chat.messages("visitor")).toHaveCount(0);
  await chat.panel.getByRole("button", { name: /^hello.*Your last chat/ }).click();
  await expect(chat.messages("visitor")).toHaveCount(1);
});

test("starts a new chat with a suggestion below the previous chats", {
  ...chats(2),
  tag: ["@live", "@rare"],
}, async ({ chat }) => {
  const chatId = await chat.start();
  await chat.choose("Previous chats");
  await chat.panel.getByRole("button", { name: "Where is my order?" }).click();
  await expect(chat.messages("visitor")).toHaveText([/Where is my order\?/]);
  await chat.settled();
  expect(await chat.chatId()).not.toBe(chatId);
});

test("continues an upload behind the list of chats and repeats none in a new chat", {
  tag: "@phone",
}, async ({ chat, page, hasTouch }) => {
  const chatId = await chat.start();
  const release = await chat.hold("**/files");
  await chat.attach(aNote());
  await expect(chat.panel.getByRole("button", { name: "Cancel uploading notes.txt" })).toBeVisible();
  await chat.choose("Previous chats");
  await chat.panel.getByRole("button", { name: "Back to the chat" }).click();
  // Focus in the message field would open a phone's keyboard over the conversation.
  await expect(hasTouch ? chat.panel.getByRole("heading", { level: 2 }) : chat.composer).toBeFocused();
  release();
  await expect(chat.panel.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
  await chat.ask("One file");

  await team.resolve(chatId);
  await chat.send("one more thing");
  await chat.panel.getByText("This chat is closed.", { exact: true }).waitFor();
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/files")) uploads.push(request.url());
  });
  await chat.panel.getByRole("button", { name: "New chat" }).last().click();
  await chat.ask("hello");
  await expect(chat.messages("visitor")).toHaveCount(1);
  expect(uploads).toEqual([]);
});

test("keeps files with their chat and aborts an upload when another chat opens", {
  ...chats(2),
  tag: ["@live", "@rare"],
}, async ({ chat, page }) => {
  await chat.start();
  await chat.attach(aNote());
  const attached = chat.panel.getByRole("list", { name: "Attached files" });
  await expect(attached.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
  const release = await chat.hold("**/files");
  await chat.attach(aNote("late.txt"));
  await expect(attached.getByRole("button", { name: "Cancel uploading late.txt" })).toBeVisible();

  const ended = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/files"));
  await chat.panel.getByRole("button", { name: "New chat" }).click();
  await expect(attached).toHaveCount(0);
  release();
  await ended;
  await chat.ask("hello again");
  await expect(chat.messages("visitor").last().getByText("notes.txt")).toHaveCount(0);

  await chat.choose("Previous chats");
  await chat.panel.getByRole("button", { name: /^hello(?! again)/ }).click();
  await expect(attached.getByRole("listitem")).toHaveText([/late\.txt.*is not attached/, /notes\.txt/]);
  await attached.getByRole("button", { name: "Remove late.txt" }).click();
  await chat.ask("and my notes");
  await expect(chat.messages("visitor").last()).toContainText("notes.txt");
});

test("opens a linked chat once and keeps the current chat across a reload", {
  ...chats(2),
  tag: ["@live", "@rare"],
}, async ({ chat, page }) => {
  const chatId = await chat.start();
  await page.goto(`/about?chat=${chatId}`);
  await expect(chat.messages("visitor")).toHaveCount(1);
  expect(new URL(page.url()).search).toBe("");
  await chat.panel.getByRole("button", { name: "New chat" }).click();
  await chat.ask("Do you sell pumps?");
  expect(await chat.chatId()).not.toBe(chatId);
  await page.reload();
  await expect(chat.messages("visitor")).toContainText("Do you sell pumps?");
});

test("reads each previous chat once and shows a failed list", { ...aChat, tag: ["@live", "@rare"] }, async ({
  chat,
  page,
}) => {
  await chat.start();
  const more = chat.panel.getByRole("button", { name: "More", exact: true });
  await more.click();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole("menuitem", { name: "Previous chats" }).click();
  await expect(chat.panel.getByRole("button", { name: /^hello/ })).toBeVisible();
  expect(asked.filter((path) => path.startsWith("/api/chat/chats/"))).toHaveLength(1);
  await chat.panel.getByRole("button", { name: "Back to the chat" }).click();
  await page.route("**/api/chat/chats/**", (route) => route.abort());
  await more.click();
  await page.getByRole("menuitem", { name: "Previous chats" }).click();
  const failed = chat.panel.getByText("We can’t load your previous chats right now.");
  await expect(failed).toBeVisible();
  await expect(chat.panel.getByRole("button", { name: /^hello/ })).toHaveCount(0);
  await page.unroute("**/api/chat/chats/**");
  await chat.panel.getByRole("button", { name: "Try again" }).click();
  await expect(chat.panel.getByRole("button", { name: /^hello/ })).toBeVisible();
  await expect(failed).toBeHidden();
});
