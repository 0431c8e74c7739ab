import { ChatPage, expect, test } from "../support/chat-page.ts";

test("a reload in the middle of a reply shows that same reply finish, once", { tag: "@ours" }, async ({
  chat,
  page,
}) => {
  await chat.open();
  await chat.send("long answer");
  const writing = chat.panel.locator("[aria-busy=true]");
  await expect(writing).toContainText(/\w{3}/);
  await page.reload();
  await chat.settled();
  await expect(chat.messages("visitor")).toHaveCount(1);
  await expect(chat.messages("agent")).toHaveCount(1);
  const text = await chat.lastReply().locator("p[dir=auto]").textContent();
  await page.reload();
  await expect(chat.messages("agent")).toHaveCount(1);
  expect(await chat.lastReply().locator("p[dir=auto]").textContent()).toBe(text);
});

test("a reload right after the press delivers the message once", async ({ chat, page }) => {
  await chat.open();
  await chat.send("hello");
  await page.reload();
  await chat.settled();
  await expect(chat.messages("visitor")).toHaveCount(1);
  await expect(chat.messages("agent")).toHaveCount(1);
});

test("a second tab shows the reply while it is written, and the same end", { tag: "@ours" }, async ({
  chat,
  page,
  context,
}) => {
  await chat.open();
  await chat.send("long answer");
  await expect(chat.panel.locator("[aria-busy=true]")).toContainText(/\w{3}/);
  const second = await context.newPage();
  const other = new ChatPage(second);
  await other.open();
  await Promise.all([chat.settled(), other.settled()]);
  await expect(other.messages("agent")).toHaveCount(1);
  expect(await other.lastReply().locator("p[dir=auto]").textContent()).toBe(
    await chat.lastReply().locator("p[dir=auto]").textContent(),
  );
  await page.close();
});
