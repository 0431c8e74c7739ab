import type { Page } from "@playwright/test";
import { aNote } from "../support/attachments.ts";
import { aChat, ChatPage, expect, responseTo, test } from "../support/chat-page.ts";
import { heldReply, lab, startHeldReply } from "../support/lab.ts";

test("finishes a reply once after a reload in the middle of a reply", async ({ chat, page }) => {
  const chatId = await startHeldReply(chat);
  await page.reload();
  await expect(chat.unfinishedReply).toContainText("word3");
  await lab.continueReply(chatId);
  await chat.settled();
  await expect(chat.messages("visitor")).toHaveCount(2);
  await expect(chat.messages("agent")).toHaveCount(2);
  await expect(chat.lastReply()).toContainText(/word0 word1 .*word39/);
});

test("shows a chat's first reply in a second tab when it is finished", async ({ chat, context, page }) => {
  await chat.open();
  await page.route("**/api/chat/chats", async (route) => {
    const response = await responseTo(route);
    const { item } = await response.json();
    await lab.reply(item.id, heldReply());
    await route.fulfill({ response });
  });
  const keysSentBy = (tab: Page) => {
    const keys: (string | undefined)[] = [];
    tab.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/messages"))
        keys.push(request.headers()["idempotency-key"]);
    });
    return keys;
  };
  const keys = keysSentBy(page);
  await chat.send("tell me");
  await expect(chat.unfinishedReply).toContainText("word3");
  const other = new ChatPage(await context.newPage());
  const keysOfOther = keysSentBy(other.page);
  await other.open();
  await expect(other.messages("visitor")).toHaveText(/tell me/);
  expect(keys).toEqual([expect.stringMatching(/^[\w-]+$/)]);
  expect(keysOfOther).toEqual([]);
  await lab.continueReply(await chat.chatId());
  await Promise.all([chat.settled(), other.settled()]);
  // Browsers order no tab's storage change before the release of its lock. A tab that gets the lock first
  // repeats the request, under the same key.
  expect(new Set([...keys, ...keysOfOther]).size).toBe(1);
  await expect(other.messages("agent")).toHaveCount(1);
  await expect(other.lastReply()).toContainText(/word0 word1 .*word39/);
});

test("lets the other tab send when the sending tab closes", async ({ chat, context }) => {
  const chatId = await startHeldReply(chat);
  // Opened only now, because either of two open tabs may send.
  const other = new ChatPage(await context.newPage());
  await other.open();
  await expect(other.messages("visitor")).toHaveCount(2);
  const takenOver = other.page.waitForRequest(/\/messages$/);
  await chat.page.close();
  await takenOver;
  await lab.continueReply(chatId);
  await other.settled();
  await expect(other.messages("visitor")).toHaveCount(2);
  await expect(other.lastReply()).toContainText(/word0 word1 .*word39/);
});

test("says that a stopped reply still finishes, and shows it once it has", async ({ chat }) => {
  const chatId = await startHeldReply(chat);
  // A customer who already writes the next message can stop it, too.
  await chat.composer.fill("half a question");
  await chat.composer.press("Tab");
  const stop = chat.panel.getByRole("button", { name: "Stop showing the answer" });
  await expect(stop).toBeFocused();
  await stop.press("Enter");
  await expect(chat.panel.getByText("will still finish the answer")).toBeVisible();
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue("half a question");
  await lab.continueReply(chatId);
  await chat.settled();
  await expect(chat.lastReply()).toContainText(/word0 word1 .*word39/);
});

test("sends a message and uploads a file when the network returns", aChat, async ({ chat, context }) => {
  await chat.open();
  await chat.ask("hello");
  const attached = chat.panel.getByRole("list", { name: "Attached files" });
  await context.setOffline(true);
  await chat.send("hello again");
  await expect(chat.panel.getByText(/You are offline\. Messages/)).toBeVisible();
  const waiting = chat.panel.getByText("Will be sent when you are back online");
  await expect(waiting).toHaveCount(1);
  await chat.attach(aNote());
  await expect(waiting).toHaveCount(2);
  await expect(chat.panel.locator("[data-delivery]")).not.toContainText("second");
  await context.setOffline(false);
  await chat.settled();
  await expect(chat.messages("visitor")).toHaveCount(2);
  await expect(chat.answers).toHaveCount(2);
  await expect(attached).toContainText("notes.txt is attached");
});

test(
  "repeats a request on demand after its outcome has been in doubt for eight seconds",
  aChat,
  async ({ chat, page }) => {
    await page.clock.install();
    await chat.start();
    await page.route("**/messages", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await chat.send("hello again");
    const waiting = chat.panel.locator("[data-delivery=waiting]");
    const again = chat.messages("visitor").last().getByRole("button", { name: "Try again" });
    await expect(waiting).toBeVisible();
    await expect(again).toHaveCount(0);
    await page.clock.fastForward(8_000);
    await expect(waiting).toBeVisible();
    await page.unroute("**/messages");
    await again.click();
    await chat.settled();
    await expect(chat.messages("visitor")).toHaveCount(2);
    await expect(chat.answers).toHaveCount(2);
  },
);

test("takes over in another tab what a dialog keeps this one from sending", { tag: "@rare" }, async ({
  chat,
  context,
}) => {
  const chatId = await startHeldReply(chat);
  const { promise: opened, resolve: open } = Promise.withResolvers<() => Promise<void>>();
  chat.page.on("dialog", (dialog) => open(() => dialog.accept()));
  await chat.page.evaluate(() => void setTimeout(() => window.alert("Leave your address?")));
  const closeDialog = await opened;

  const other = new ChatPage(await context.newPage());
  await other.open();
  const texts = (page: ChatPage) => page.messages("visitor").locator("p[dir=auto]");
  await other.send("and this");
  await lab.continueReply(chatId);
  await other.settled();
  await expect(texts(other)).toHaveText(["hello", "tell me", "and this"]);
  await expect(other.messages("agent").filter({ hasText: "word39" })).toHaveCount(1);

  await closeDialog();
  await chat.settled();
  await expect(texts(chat)).toHaveText(["hello", "tell me", "and this"]);
  await chat.page.reload();
  await expect(texts(chat)).toHaveText(["hello", "tell me", "and this"]);
});
