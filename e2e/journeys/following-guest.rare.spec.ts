/** A guest's chats after sign-in, in front of a server with `guestChats: "follow"`. */
import type { BrowserContext } from "@playwright/test";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { testKeys } from "../../testing/test-keys.ts";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";
import { channelUrl } from "../support/lab.ts";

let server: Program;
let origin = "";
test.beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  server = await Program.start({
    name: "the server with following guests",
    args: ["e2e/support/run-following-server.ts"],
    healthUrl: `${origin}/api/chat/health/live`,
    env: {
      ...process.env,
      PORT: String(port),
      APP_ORIGIN: origin,
      CHAT_BASE_URL: channelUrl,
      CHAT_CHANNEL_KEY: testKeys.channelKey,
      CHAT_KEY: testKeys.chatKey,
      SESSION_SECRET: testKeys.sessionSecret,
      LOG_LEVEL: "warn",
    },
    stdout: "inherit",
  });
});
test.afterAll(() => server.stop());

/** The shop's own cookie, which its sign-in would set. */
const signIn = (context: BrowserContext, customerId: string) =>
  context.addCookies([{ name: "shop_session", value: `${customerId}~of-this-test`, url: origin }]);

/** The page tells the chat that the customer has signed in or out. */
const tellChat = ({ page }: ChatPage) =>
  page.evaluate(() => window.dispatchEvent(new Event("shop-chat:session")));

test("continues the guest's chat after sign-in, until sign-out", { tag: "@ours" }, async ({ browser }) => {
  const context = await browser.newContext({ baseURL: origin });
  const chat = new ChatPage(await context.newPage());
  const texts = chat.messages("visitor").locator("p[dir=auto]");
  await openElementPage(chat.page);
  await chat.launcher.click();
  await chat.ask("hello");
  await signIn(context, "maya-okafor");
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
  await signIn(context, "lukas-brandt");
  await tellChat(chat);
  await expect(texts).toHaveCount(0);
  await context.clearCookies({ name: "shop_session" });
  await tellChat(chat);
  await expect(chat.composer).toBeEditable();
  await expect(texts).toHaveCount(0);
  await context.close();
});
