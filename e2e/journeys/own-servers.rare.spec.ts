/** Chat servers of other configurations than the demo shop's, each with its own pages. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";
import { lab } from "../support/lab.ts";
import { type OwnServer, type OwnServerKind, signInAt, startOwnServer } from "../support/own-server.ts";

const servers: OwnServer[] = [];

test.afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

/** Starts a server that ends with the test. */
async function start(kind: OwnServerKind, env?: Record<string, string>): Promise<OwnServer> {
  const server = await startOwnServer(kind, env);
  servers.push(server);
  return server;
}

/** The page tells the chat that the customer has signed in or out. */
const tellChat = ({ page }: ChatPage) =>
  page.evaluate(() => window.dispatchEvent(new Event("shop-chat:session")));

const textsOf = (chat: ChatPage) => chat.messages("visitor").locator("p[dir=auto]");

/** A browser in front of this server, with the chat open. */
async function device(browser: Browser, server: OwnServer, customerId?: string) {
  const context = await browser.newContext({ baseURL: server.origin });
  const signIn = (id: string) => signInAt(context, server, id);
  if (customerId !== undefined) await signIn(customerId);
  const chat = new ChatPage(await context.newPage());
  await openElementPage(chat.page);
  await chat.launcher.click();
  return { chat, context, signIn, texts: textsOf(chat) };
}

test("continues the guest's chat after sign-in, until sign-out", async ({ browser }) => {
  const { chat, context, signIn, texts } = await device(browser, await start("following"));
  await chat.ask("hello");
  await signIn("maya-okafor");
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
  await signIn("lukas-brandt");
  await tellChat(chat);
  await expect(texts).toHaveCount(0);
  await context.clearCookies({ name: "shop_session" });
  await tellChat(chat);
  await expect(chat.composer).toBeEditable();
  await expect(texts).toHaveCount(0);
  await context.close();
});

test("finds a chat of another device, follows the answer that is being written there, and continues", async ({
  browser,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "customer-chats-"));
  const startOne = () => start("listing", { CUSTOMER_CHATS: folder });
  const [one, other] = await Promise.all([startOne(), startOne()]);
  const phone = await device(browser, one, "kenji-mori");
  await phone.chat.ask("Do you deliver to Ireland?");
  const chatId = await phone.chat.chatId();
  await lab.reply(chatId, {
    text: "Yes, within three days.",
    deltas: ["Yes, ", "within three days."],
    holdsAfter: 1,
  });
  await phone.chat.send("And how fast?");
  await expect(phone.chat.unfinishedReply).toContainText("Yes,");

  const desktop = await device(browser, other, "kenji-mori");
  await expect(desktop.texts).toHaveText(["Do you deliver to Ireland?", "And how fast?"]);
  await expect(desktop.chat.unfinishedReply.getByRole("img", { name: "Wren is answering." })).toBeVisible();
  await lab.continueReply(chatId);
  await expect(desktop.chat.lastReply()).toContainText("within three days");
  await desktop.chat.ask("Thank you");
  await expect(desktop.texts).toHaveCount(3);
  await phone.chat.page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(phone.texts).toHaveText(["Do you deliver to Ireland?", "And how fast?", "Thank you"]);

  // Neither the next customer of the desktop nor a guest learns of it.
  for (const customerId of ["lukas-brandt", null]) {
    await desktop.context.clearCookies({ name: "shop_session" });
    if (customerId !== null) await desktop.signIn(customerId);
    await desktop.chat.page.reload();
    await expect(desktop.chat.composer).toBeEditable();
    await expect(desktop.texts).toHaveCount(0);
    await desktop.chat.choose("Previous chats");
    await expect(desktop.chat.panel.getByText("Do you deliver to Ireland?")).toHaveCount(0);
  }
  await Promise.all([phone.context.close(), desktop.context.close()]);
  await rm(folder, { recursive: true });
});

test("a message that waits for one agent is shown by its pages alone and goes to it alone", async ({
  browser,
}) => {
  const channel = await lab.createChannel({ chats: [] });
  const server = await start("two", {
    REPAIRS_CHANNEL_KEY: channel.channelKey,
    REPAIRS_CHAT_KEY: channel.chatKey,
  });
  const { chat: sales, context, texts } = await device(browser, server);
  await expect(sales.composer).toBeEditable();
  // The connection of this page alone is lost.
  await sales.page.route("**/api/chat/chats", (route) => route.abort("internetdisconnected"));
  await sales.send("Do you deliver to Ireland?");
  await expect(sales.panel.locator("[data-delivery]")).toHaveCount(1);

  const repairs = new ChatPage(await context.newPage());
  await openElementPage(repairs.page, { attributes: 'api="/repairs/chat"' });
  await repairs.launcher.click();
  await repairs.ask("Is my bike ready?");
  await expect(textsOf(repairs)).toHaveText(["Is my bike ready?"]);

  await sales.page.unroute("**/api/chat/chats");
  await sales.page.evaluate(() => window.dispatchEvent(new Event("online")));
  await sales.settled();
  await expect(sales.lastReply()).toBeVisible();
  await expect(texts).toHaveText(["Do you deliver to Ireland?"]);
  await expect(textsOf(repairs)).toHaveText(["Is my bike ready?"]);
  const { chats } = await channel.lab.exportChats();
  const written = chats.flatMap(({ messages = [] }) => messages.filter(({ role }) => role === "visitor"));
  expect(written.map(({ text }) => text)).toEqual(["Is my bike ready?"]);
  await context.close();
  await channel.drop();
});
