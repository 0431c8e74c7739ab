/** The chats of a customer who uses several devices, which the server lists. */
import { expect, test } from "vitest";
import type { Message } from "../chat-api/message.ts";
import { createStorages } from "./storage/storage.ts";
import { aChat, aConversation, aMessage, aPending } from "./testing/builders.ts";
import { aChatPage, type PageOptions, refusal, type TestPage } from "./testing/chat-page.ts";
import { memoryBrowser } from "./testing/memory-browser.ts";
import { timelineOf } from "./timeline/timeline.ts";

const [here, elsewhere] = ["chat_00000001", "chat_00000002"];
const pathOf = (chatId: string) => `/chats/${chatId}`;

/** A server with these chats of the signed-in customer. */
function aServer(chatIds: string[] | undefined, gone: readonly string[] = []) {
  /** Responses to the next requests that take a chat off the list. */
  const refusals: Response[] = [];
  const messages = new Map([here, elsewhere].map((chatId) => [chatId, [aMessage({ chatId, text: chatId })]]));
  const open = (options?: PageOptions) =>
    aChatPage((request) => {
      const customer = { id: "42", name: "Ada" };
      if (request === "POST /session")
        return Response.json({ item: { caller: "tag-of-42", customer, chatIds } });
      if (request.startsWith("DELETE ")) return refusals.pop() ?? new Response(null, { status: 204 });
      const [, chatId = ""] = /^GET \/chats\/([^/]+)/.exec(request) ?? [];
      if (gone.includes(chatId)) return refusal("chat_not_found");
      if (request === `GET ${pathOf(chatId)}`) return Response.json({ item: aChat({ id: chatId }) });
      const items: Message[] = messages.get(chatId) ?? [];
      return Response.json({ items, nextCursor: null });
    }, options);
  return { open, messages, refusals };
}

const conversationOf = ({ chat }: TestPage) => chat.getState().conversation;
const said = (page: TestPage) => conversationOf(page).messages.map(({ text }) => text);
const listed = ({ chat }: TestPage) => chat.chats().map(({ chatId }) => chatId);

test("opens it in place of an empty conversation, but not of one with a draft", async () => {
  const chatIds: string[] = [];
  const { open } = aServer(chatIds);
  const first = await open();
  expect(conversationOf(first).chatId).toBeNull();
  chatIds.unshift(elsewhere);
  const empty = await open({ earlier: first.browser });
  await expect.poll(() => said(empty)).toEqual([elsewhere]);

  chatIds.unshift(here);
  empty.chat.newChat();
  empty.chat.setText("half a question");
  const written = await open({ earlier: empty.browser });
  expect(conversationOf(written).chatId).toBeNull();
  expect(written.chat.getState().draft.text).toBe("half a question");
  expect(listed(written)).toEqual([here, elsewhere]);
});

test("lists at the customer's return what was begun elsewhere, and stays where it is", async () => {
  const chatIds = [here];
  const page = await aServer(chatIds).open();
  await expect.poll(() => said(page)).toEqual([here]);
  chatIds.unshift(elsewhere);
  page.browser.dispatch("return");
  await expect.poll(() => listed(page)).toContain(elsewhere);
  expect(conversationOf(page).chatId).toBe(here);
});

const deleted = ({ requests }: TestPage) => requests.filter((request) => request.startsWith("DELETE "));

test("opens the last chat here if the server does not know the listed one, and tries it once", async () => {
  const chatIds = [here];
  const { open } = aServer(chatIds, [elsewhere]);
  const first = await open();
  await expect.poll(() => said(first)).toEqual([here]);

  chatIds.unshift(elsewhere);
  const next = await open({ earlier: first.browser });
  await expect.poll(() => said(next)).toEqual([here]);
  chatIds.push("chat_00000003");
  next.browser.dispatch("return");
  await expect.poll(() => listed(next)).toEqual([here, elsewhere, "chat_00000003"]);

  const again = await open({ earlier: next.browser });
  expect(conversationOf(again).chatId).toBe(here);
  const other = await aServer(chatIds, [elsewhere]).open();
  await expect.poll(() => conversationOf(other).chatId).toBeNull();
  expect(listed(other)).toEqual([here, "chat_00000003", elsewhere]);
  expect([...deleted(next), ...deleted(other)]).toEqual([]);
});

test("keeps what is written for a listed chat that the server does not know", async () => {
  const page = await aServer([elsewhere], [elsewhere]).open();
  page.chat.setText("half a question");
  await expect.poll(() => conversationOf(page).history.state).toBe("failed");
  expect(page.chat.getState().draft.text).toBe("half a question");
});

test("tells the server of a chat that is taken off the list, if it keeps a list", async () => {
  const { open, refusals } = aServer([here, elsewhere]);
  const page = await open();
  await expect.poll(() => said(page)).toEqual([here]);
  refusals.push(refusal("rate_limited", 0));
  page.chat.forgetChat(elsewhere);
  expect(listed(page)).toEqual([here]);
  const request = `DELETE ${pathOf(elsewhere)}/listed`;
  await expect.poll(() => deleted(page)).toEqual([request, request]);

  const unlisted = await aServer(undefined).open({ chatId: here });
  await expect.poll(() => said(unlisted)).toEqual([here]);
  unlisted.chat.forgetChat(here);
  await expect.poll(() => listed(unlisted)).toEqual([]);
  expect(deleted(unlisted)).toEqual([]);
});

const askedAt = (milliseconds: number, role: Message["role"] = "visitor") =>
  aMessage({ role, createdAt: new Date(Date.now() - milliseconds).toISOString() });

test.each([
  ["a message of a minute ago", [askedAt(60_000)], {}, true],
  ["a message of long ago", [askedAt(600_000)], {}, false],
  ["a message of a day ahead of this clock", [askedAt(-86_400_000)], {}, false],
  ["an answer", [askedAt(60_000), askedAt(50_000, "agent")], {}, false],
  ["a message to the team", [askedAt(60_000)], { chat: aChat({ mode: "waiting" }) }, false],
  ["a message of a closed chat", [askedAt(60_000)], { chat: aChat({ mode: "resolved" }) }, false],
  ["a message that this page sends", [askedAt(60_000)], { pending: [aPending({ state: "queued" })] }, false],
])("%s at the end shows whether an answer is being written elsewhere", (_, messages, state, isShown) => {
  const rows = timelineOf(aConversation({ messages, ...state })).filter(({ kind }) => kind === "reply");
  expect(rows).toHaveLength(isShown ? 1 : 0);
});

test("awaits no other device's answer to a message of this browser that has ended, also after a reload", async () => {
  const { open, messages } = aServer([here]);
  messages.set(here, [{ ...askedAt(60_000), chatId: here }]);
  const rows = ({ chat }: TestPage) =>
    timelineOf(chat.getState().conversation).filter(({ kind }) => kind === "reply");
  const elsewhereAsked = await open({ chatId: here });
  await expect.poll(() => said(elsewhereAsked)).toHaveLength(1);
  expect(rows(elsewhereAsked)).toHaveLength(1);

  const earlier = memoryBrowser();
  const id = messages.get(here)?.[0]?.id ?? "";
  createStorages(earlier, "/api/chat").of("tag-of-42").write(`settled:${here}`, id);
  const reloaded = await open({ chatId: here, earlier });
  await expect.poll(() => said(reloaded)).toHaveLength(1);
  expect(rows(reloaded)).toEqual([]);
});
