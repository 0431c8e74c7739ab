/** The chats that a customer has on all devices, with the option `chats`. */
import { expect, test } from "vitest";
import { expectRefused, hostilePeer, newChat, newGuest, ownBff } from "../testing/hostile-set-up.ts";
import type { TestBff, TestBffOptions, TestBrowser } from "../testing/test-bff.ts";
import type { CustomerChats } from "./host.ts";

const { upstream, environment } = await hostilePeer();

/** A host that keeps its lists in memory, for one BFF or for two. */
function aHost() {
  const lists = new Map<string, string[]>();
  const listOf = (id: string) => lists.get(id) ?? [];
  const without = (id: string, chatId: string) => listOf(id).filter((one) => one !== chatId);
  const chats: CustomerChats = {
    list: ({ id }) => listOf(id),
    add: ({ id }, chatId) => void lists.set(id, [chatId, ...without(id, chatId)]),
    forget: ({ id }, chatId) => void lists.set(id, without(id, chatId)),
  };
  return { lists, chats };
}

async function signedIn(t: TestBff, customerId: string) {
  const browser = t.browser();
  return { browser, chatIds: await listedFor(browser, customerId) };
}

const listedFor = async (browser: TestBrowser, customerId?: string): Promise<string[] | undefined> =>
  (await (await browser.start(customerId)).json()).item.chatIds;

const write = (browser: TestBrowser, path: string) => browser.post(`${path}/messages`, { text: "hello" });
const forget = (browser: TestBrowser, chatId: string) =>
  browser.send(`/api/chat/chats/${chatId}/listed`, { method: "DELETE" });

test("names a customer's chats to each of their browsers, the latest first, and to nobody else", async () => {
  const { chats } = aHost();
  const [t, other] = [ownBff(environment, { chats }), ownBff(environment, { chats })];
  const { browser, chatIds } = await signedIn(t, "ada");
  expect(chatIds).toEqual([]);
  const first = await newChat(upstream, browser, "chat_4001");
  const second = await newChat(upstream, browser, "chat_4002");
  for (const { path } of [first, second, first]) await write(browser, path);

  const elsewhere = await signedIn(other, "ada");
  expect(elsewhere.chatIds).toEqual(["chat_4001", "chat_4002"]);
  expect((await elsewhere.browser.get(first.path)).status).toBe(200);
  expect((await signedIn(other, "bo")).chatIds).toEqual([]);
  elsewhere.browser.signOut();
  expect(await listedFor(elsewhere.browser)).toBeUndefined();
});

test("shows nothing of a foreign chat that the host lists", async () => {
  const { chats, lists } = aHost();
  const t = ownBff(environment, { chats });
  const { browser: owner } = await signedIn(t, "ada");
  const { path } = await newChat(upstream, owner, "chat_4003");
  lists.set("mallory", ["chat_4003", "../../secret", "a"]);
  const { browser, chatIds } = await signedIn(t, "mallory");
  expect(chatIds).toEqual(["chat_4003"]);
  for (const address of [path, `${path}/messages`, `${path}/messages/before`])
    await expectRefused(browser.get(address), "chat_not_found");
  await expectRefused(write(browser, path), "chat_not_found");
  expect(lists.get("mallory")).toHaveLength(3);
});

test("lists no chat of a guest, not even of one whom the customer follows", async () => {
  const { chats, lists } = aHost();
  const t = ownBff(environment, { chats, guestChats: "follow" });
  const browser = await newGuest(t);
  const { path } = await newChat(upstream, browser, "chat_4004");
  await write(browser, path);
  expect(await listedFor(browser)).toBeUndefined();
  expect(await listedFor(browser, "ada")).toEqual([]);
  await write(browser, path);
  expect([...lists]).toEqual([]);
});

test("forgets a chat, and only in the customer's own list", async () => {
  const { chats, lists } = aHost();
  const t = ownBff(environment, { chats });
  lists.set("ada", ["chat_4005", "chat_4006"]);
  lists.set("bo", ["chat_4005"]);
  const { browser } = await signedIn(t, "ada");
  expect((await forget(browser, "chat_4005")).status).toBe(204);
  expect([...lists]).toEqual([
    ["ada", ["chat_4006"]],
    ["bo", ["chat_4005"]],
  ]);
  await expectRefused(forget(browser, "a"), "invalid_id");
  await expectRefused(forget(await newGuest(t), "chat_4005"), "not_found");
  await expectRefused(forget(t.browser(), "chat_4005"), "session_required");
  await expectRefused(forget((await signedIn(ownBff(environment), "ada")).browser, "chat_4006"), "not_found");
});

const fail = () => {
  throw new Error("the host's database is down");
};

const never = () => new Promise<never>(() => undefined);

test.each<[string, CustomerChats]>([
  ["fails", { list: fail, add: fail, forget: fail }],
  ["rejects", { list: async () => fail(), add: async () => fail(), forget: async () => fail() }],
  ["never answers", { list: never, add: never, forget: never }],
])("serves the chat while the host %s", async (_, chats) => {
  const options: TestBffOptions = { chats };
  const t = ownBff(environment, options);
  const { browser, chatIds } = await signedIn(t, "ada");
  expect(chatIds).toEqual([]);
  const { path } = await newChat(upstream, browser, "chat_4007");
  upstream.respond("POST /chats/chat_4007/messages", 409, { error: { code: "chat_closed" } });
  await expectRefused(write(browser, path), "chat_closed");
  const messages = t.lines.filter(({ event }) => event === "unexpected_error").map(({ msg }) => msg);
  expect(messages[0]).toBe("chats.list failed");
  await expectRefused(forget(browser, "chat_4007"), "service_unavailable");
});
