/** Two chat servers at one origin, each with its own pages. */
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { testKeys } from "../../testing/test-keys.ts";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";
import { channelUrl } from "../support/lab.ts";

let servers: Program;
let origin = "";
test.beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  servers = await Program.start({
    name: "two chat servers",
    args: ["e2e/support/run-two-servers.ts"],
    healthUrl: `${origin}/repairs/chat/health/live`,
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
test.afterAll(() => servers.stop());

test("a message that waits for one server is shown by its pages alone and goes to it alone", {
  tag: "@ours",
}, async ({ browser }) => {
  const context = await browser.newContext({ baseURL: origin });
  const sales = new ChatPage(await context.newPage());
  const texts = (chat: ChatPage) => chat.messages("visitor").locator("p[dir=auto]");
  const release = await sales.hold("**/api/chat/chats");
  await openElementPage(sales.page);
  await sales.launcher.click();
  await sales.send("Do you deliver to Ireland?");
  await expect(sales.panel.locator("[data-delivery]")).toHaveCount(1);

  const repairs = new ChatPage(await context.newPage());
  await openElementPage(repairs.page, { attributes: 'api="/repairs/chat"' });
  await repairs.launcher.click();
  await repairs.ask("Is my bike ready?");
  await expect(texts(repairs)).toHaveText(["Is my bike ready?"]);

  release();
  await sales.settled();
  await expect(texts(sales)).toHaveText(["Do you deliver to Ireland?"]);
  await expect(texts(repairs)).toHaveText(["Is my bike ready?"]);
  await context.close();
});
