/** Two tabs, one of which a dialog of its page has stopped while it sends. */
import { ChatPage, chats, expect, test } from "../support/chat-page.ts";
import { lab, startHeldReply } from "../support/lab.ts";

test("the other tab takes over what a stopped tab was sending", { ...chats(1), tag: "@ours" }, async ({
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
