/** Two chat servers at one origin, each with its own agent and its own pages. */
import type { LabChannel } from "../../channel/lab/lab-client.ts";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";
import { lab } from "../support/lab.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";

let repairsChannel: LabChannel;
let servers: OwnServer;
test.beforeAll(async () => {
  repairsChannel = await lab.createChannel({ chats: [] });
  servers = await startOwnServer("run-two-servers.ts", {
    REPAIRS_CHANNEL_KEY: repairsChannel.channelKey,
    REPAIRS_CHAT_KEY: repairsChannel.chatKey,
  });
});
test.afterAll(async () => {
  await servers.stop();
  await repairsChannel.drop();
});

test("a message that waits for one agent is shown by its pages alone and goes to it alone", {
  tag: "@ours",
}, async ({ browser }) => {
  const context = await browser.newContext({ baseURL: servers.origin });
  const sales = new ChatPage(await context.newPage());
  const texts = (chat: ChatPage) => chat.messages("visitor").locator("p[dir=auto]");
  await openElementPage(sales.page);
  await sales.launcher.click();
  await expect(sales.composer).toBeEditable();
  // The connection of this page alone is lost.
  await sales.page.route("**/api/chat/chats", (route) => route.abort("internetdisconnected"));
  await sales.send("Do you deliver to Ireland?");
  await expect(sales.panel.locator("[data-delivery]")).toHaveCount(1);

  const repairs = new ChatPage(await context.newPage());
  await openElementPage(repairs.page, { attributes: 'api="/repairs/chat"' });
  await repairs.launcher.click();
  await repairs.ask("Is my bike ready?");
  await expect(texts(repairs)).toHaveText(["Is my bike ready?"]);

  await sales.page.unroute("**/api/chat/chats");
  await sales.page.evaluate(() => window.dispatchEvent(new Event("online")));
  await sales.settled();
  await expect(sales.lastReply()).toBeVisible();
  await expect(texts(sales)).toHaveText(["Do you deliver to Ireland?"]);
  await expect(texts(repairs)).toHaveText(["Is my bike ready?"]);
  const { chats } = await repairsChannel.lab.exportChats();
  const written = chats.flatMap(({ messages = [] }) => messages.filter(({ role }) => role === "visitor"));
  expect(written.map(({ text }) => text)).toEqual(["Is my bike ready?"]);
  await context.close();
});
