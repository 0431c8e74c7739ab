/** A guest's chats after sign-in, in front of a server with `guestChats: "follow"`. */
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";
import { type OwnServer, signInAt, startOwnServer } from "../support/own-server.ts";

let server: OwnServer;
test.beforeAll(async () => {
  server = await startOwnServer("run-following-server.ts");
});
test.afterAll(() => server.stop());

/** The page tells the chat that the customer has signed in or out. */
const tellChat = ({ page }: ChatPage) =>
  page.evaluate(() => window.dispatchEvent(new Event("shop-chat:session")));

test("continues the guest's chat after sign-in, until sign-out", { tag: "@ours" }, async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.origin });
  const chat = new ChatPage(await context.newPage());
  const texts = chat.messages("visitor").locator("p[dir=auto]");
  await openElementPage(chat.page);
  await chat.launcher.click();
  await chat.ask("hello");
  await signInAt(context, server, "maya-okafor");
  await tellChat(chat);
  await expect
    .poll(() => chat.page.evaluate(() => localStorage.getItem("shop-chat:1:owner")))
    .not.toBe("guest");
  await expect(texts).toHaveText(["hello"]);
  await chat.ask("thank you");
  await expect(texts).toHaveText(["hello", "thank you"]);
  // Also on the next page.
  await chat.page.reload();
  await expect(texts).toHaveText(["hello", "thank you"]);

  // Another customer of this browser has no part in it.
  await signInAt(context, server, "lukas-brandt");
  await tellChat(chat);
  await expect(texts).toHaveCount(0);
  await context.clearCookies({ name: "shop_session" });
  await tellChat(chat);
  await expect(chat.composer).toBeEditable();
  await expect(texts).toHaveCount(0);
  await context.close();
});
