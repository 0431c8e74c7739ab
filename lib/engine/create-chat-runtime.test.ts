import { expect, test, vi } from "vitest";
import { ChatApiError, type ErrorCode } from "../chat-api/errors.ts";
import type { Message } from "../chat-api/message.ts";
import { encodeTurnEvent, type TurnEvent } from "../chat-api/turn-events.ts";
import { aStart } from "../chat-client/testing/streams.ts";
import type { ChatRuntime } from "./chat-runtime.ts";
import { emptyDraft } from "./chats/draft.ts";
import { showEnd } from "./delivery/show-end.ts";
import { failure } from "./failure.ts";
import { createOutboxStore } from "./outbox/outbox-store.ts";
import { closedBy } from "./state/selectors.ts";
import { aChat, aFile, aMessage, aRecord } from "./testing/builders.ts";
import { memoryStorage } from "./testing/memory-storage.ts";
import { aRuntimePage } from "./testing/runtime-page.ts";
import { storedTexts, storeMessages } from "./testing/stored-messages.ts";

const chatId = "chat_00000001";
const chat = aChat({ id: chatId });
const at = (minute: number) => `2026-06-02T09:${minute}:00.000Z`;
const welcome = aMessage({ chatId, text: "How can I help?", createdAt: at(10) });

const refusal = (code: ErrorCode, retryAfterSeconds?: number) => {
  const error = new ChatApiError(code, { retryAfterSeconds });
  return Response.json(error.toBody("req_1"), { status: error.status });
};

/** A server with one chat. It stores or refuses a message as `send` decides. */
function aServer(send: () => Response | undefined) {
  const messages: Message[] = [welcome];
  return {
    messages,
    answers(request: string): Response | undefined {
      if (request === "POST /chats") return Response.json({ item: chat }, { status: 201 });
      if (request === `GET /chats/${chatId}`) return Response.json({ item: chat });
      if (request === `POST /chats/${chatId}/messages`) return send();
      if (request === `GET /chats/${chatId}/messages`)
        return Response.json({ items: messages, nextCursor: null });
      if (request === `GET /chats/${chatId}/messages/latest`)
        return Response.json({ items: messages, starts: [null], first: 0, nextCursor: null });
      return undefined;
    },
  };
}

/** A page that shows the server's chat and has read its messages. */
async function readyPage(send: () => Response | undefined = () => undefined, storage = memoryStorage()) {
  const { answers, messages } = aServer(send);
  const page = aRuntimePage(answers, chatId, storage);
  await expect.poll(() => page.runtime.getState().history.state).toBe("ready");
  return { ...page, messages };
}

/** Sends a message and waits until it is refused. */
async function sendRefused(runtime: ChatRuntime): Promise<void> {
  runtime.delivery.send({ text: "Hello", files: [] });
  await expect.poll(() => states(runtime.getState())).toEqual(["refused"]);
}

/** A turn stream with these events after its `start`. */
function streamOf(message: Message, reply: Message, ...events: TurnEvent[]): Response {
  const start = aStart({ chatId, messageId: message.id, replyId: reply.id });
  return new Response([start, ...events].map(encodeTurnEvent).join(""), {
    status: 201,
    headers: { "content-type": "text/event-stream" },
  });
}

/** A complete turn that answers the message. */
function turnOf(message: Message, reply: Message): Response {
  const done = { type: "done", item: { message, reply, chat } } as const;
  return streamOf(message, reply, { type: "delta", text: reply.text }, done);
}

const states = ({ pending }: { pending: readonly { delivery: { state: string } }[] }) =>
  pending.map(({ delivery }) => delivery.state);

/** The attachment bar of the conversation on screen uploads these files. */
function hold({ draft, getState }: ChatRuntime, ...names: string[]): void {
  draft.holdUploads(names, getState().createKey);
}

test.each([
  ["session_required", 1],
  ["chat_unavailable", 1],
  ["invalid_request", 2],
  ["payload_too_large", 2],
] as const)("two attempts at a message that was refused with %s use %i key(s)", async (code, count) => {
  const { runtime, keys } = await readyPage(() => refusal(code));
  await sendRefused(runtime);
  const before = keys.length;
  runtime.delivery.retry(runtime.getState().pending[0]?.record.key ?? "");
  await expect.poll(() => keys.length > before && states(runtime.getState())).toEqual(["refused"]);
  expect(new Set(keys).size).toBe(count);
});

test("drops an abandoned message once the list holds it with its answer", async () => {
  const { runtime, storage, messages } = await readyPage(() => refusal("chat_unavailable"));
  await sendRefused(runtime);
  messages.push(
    aMessage({ chatId, role: "visitor", text: "Hello", createdAt: at(11) }),
    aMessage({ chatId, text: "Hello to you", createdAt: at(12) }),
  );
  await runtime.history.sync();
  expect(runtime.getState().pending).toEqual([]);
  expect(storedTexts(storage)).toEqual([]);
});

test("fetches the answer to an abandoned message under its key", async () => {
  const stored = aMessage({ chatId, role: "visitor", text: "Hello", createdAt: at(11) });
  const reply = aMessage({ chatId, text: "Hello to you", createdAt: at(12) });
  let isBack = false;
  const { runtime, keys, messages } = await readyPage(() =>
    isBack ? turnOf(stored, reply) : refusal("chat_unavailable"),
  );
  await sendRefused(runtime);
  isBack = true;
  messages.push(stored);
  await runtime.history.sync();
  await expect.poll(() => runtime.getState().messages.at(-1)?.text).toBe("Hello to you");
  expect(runtime.getState().pending).toEqual([]);
  expect(new Set(keys).size).toBe(1);
});

test("looks for an answer before it sends a refused message again", async () => {
  const refused = failure("operation_interrupted", { isListed: true, mode: "agent" });
  const record = aRecord({ chatId, text: "Hello", afterMessageId: welcome.id, refusal: refused });
  const { answers, messages } = aServer(() => undefined);
  messages.push(aMessage({ chatId, role: "visitor", text: "Hello", createdAt: at(11) }));
  const { runtime, storage, requests } = aRuntimePage(answers, chatId);
  storeMessages(storage, record);
  runtime.history.reload();
  await expect.poll(() => runtime.getState().history.state).toBe("ready");
  expect(states(runtime.getState())).toEqual(["refused"]);
  messages.push(aMessage({ chatId, text: "Hello to you", createdAt: at(12) }));
  runtime.delivery.retry(record.key);
  await expect.poll(() => runtime.getState().pending).toEqual([]);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
});

test("reads the first messages of a new chat at once", async () => {
  const { answers } = aServer(() => undefined);
  const { runtime } = aRuntimePage(answers);
  await runtime.chats.require();
  await expect.poll(() => runtime.getState().messages.map(({ text }) => text)).toEqual(["How can I help?"]);
});

test("moves the draft and unsent messages of a closed chat to a new one", async () => {
  const { runtime, storage } = await readyPage(() => refusal("chat_closed"));
  runtime.delivery.send({ text: "First", files: [] });
  runtime.delivery.send({ text: "Second", files: [] });
  await expect.poll(() => states(runtime.getState())).toEqual(["refused", "refused"]);
  runtime.draft.set({ text: "Third", files: [aFile({ filename: "hub.png" })], lost: ["notes.txt"] });
  hold(runtime, "bill.pdf");
  runtime.chats.startOver();
  expect(runtime.getState().chatId).toBeNull();
  expect(runtime.draft.get()).toEqual({
    text: "First\nSecond\nThird",
    files: [],
    lost: ["notes.txt", "bill.pdf", "hub.png"],
  });
  expect(storedTexts(storage)).toEqual([]);
  runtime.chats.open(chatId);
  expect(runtime.draft.get().text).toBe("");
});

test("reads the chat again after a refusal says that it has ended", async () => {
  const { runtime } = await readyPage();
  for (const code of ["chat_closed", "chat_not_found"] as const) {
    showEnd(runtime, runtime.getState(), failure(code));
    expect(closedBy(runtime.getState())).toBe(code);
    await expect.poll(() => closedBy(runtime.getState())).toBeNull();
  }
});

test("lists the files whose uploads a reload or a change of conversation ended", async () => {
  const { answers } = aServer(() => undefined);
  const [storage, tab] = [memoryStorage(), new Map<string, string>()];
  const { runtime } = aRuntimePage(answers, null, storage, tab);
  const created = [runtime.chats.require(), runtime.chats.require()];
  hold(runtime, "hub.png");
  await Promise.all(created);
  const reloaded = aRuntimePage(answers, null, storage, tab).runtime;
  expect(reloaded.draft.get().lost).toEqual(["hub.png"]);
  hold(reloaded, "bill.pdf");
  const { createKey } = reloaded.getState();
  reloaded.history.reload();
  expect(reloaded.draft.get().lost).toEqual(["hub.png"]);
  reloaded.chats.open("chat_00000002");
  // The attachment bar of the previous chat.
  reloaded.draft.holdUploads(["bill.pdf"], createKey);
  reloaded.draft.loseUploads();
  expect(reloaded.draft.get().lost).toEqual([]);
  hold(reloaded, "notes.txt");
  // Another tab has opened the first chat, which this page opens after its reload.
  storage.write("current", JSON.stringify({ chatId, createKey: "create-0000-9" }));
  const last = aRuntimePage(answers, null, storage, tab).runtime;
  expect(last.draft.get().lost).toEqual(["hub.png", "bill.pdf"]);
  last.chats.open("chat_00000002");
  expect(last.draft.get().lost).toEqual(["notes.txt"]);
});

test("does not mark a file as lost if its upload has just finished", async () => {
  const { runtime } = await readyPage();
  hold(runtime, "hub.png", "bill.pdf");
  runtime.draft.set({ ...emptyDraft, files: [aFile({ filename: "hub.png" })] }, "hub.png");
  runtime.chats.open("chat_00000002");
  runtime.chats.open(chatId);
  expect(runtime.draft.get()).toMatchObject({ files: [{ filename: "hub.png" }], lost: ["bill.pdf"] });
});

test("stores no uploads after the runtime is closed", () => {
  const { runtime, storage } = aRuntimePage();
  hold(runtime, "hub.png");
  runtime.close();
  const name = `draft:${runtime.getState().createKey}`;
  expect(storage.read(name)).toContain("hub.png");
  // The customer has signed in: the guest's data is removed, then the guest's attachment bar unmounts.
  storage.write(name, null);
  hold(runtime, "hub.png");
  runtime.draft.loseUploads();
  expect(storage.read(name)).toBeNull();
});

test("a duplicated tab does not mark the uploads of this tab as lost", () => {
  const { runtime, storage } = aRuntimePage();
  const name = `draft:${runtime.getState().createKey}`;
  const copied = (...lost: string[]) => storage.writeElsewhere(name, JSON.stringify({ text: "Hi", lost }));
  hold(runtime, "hub.png");
  copied("notes.txt", "hub.png");
  expect(runtime.draft.get()).toEqual({ text: "Hi", files: [], lost: ["notes.txt"] });
  expect(storage.read(name)).not.toContain("hub.png");
  // Another file of this name had already been lost.
  hold(runtime, "notes.txt");
  copied("notes.txt");
  expect(runtime.draft.get().lost).toEqual(["notes.txt"]);
});

test("a reload reopens a deleted chat until its unsent texts move to a new one", async () => {
  const storage = memoryStorage();
  const pause = failure("rate_limited", { at: Date.now(), retryAfterSeconds: 40 });
  storage.write("current", JSON.stringify({ chatId, createKey: "create-0000-1" }));
  storage.write(`draft:${chatId}`, JSON.stringify({ text: "Second", files: [] }));
  storeMessages(storage, aRecord({ chatId, text: "First", attempted: false, pause }));
  const { runtime } = aRuntimePage(() => refusal("chat_not_found"), null, storage);
  await expect.poll(() => runtime.getState().history.failure?.code).toBe("chat_not_found");
  // The next page opens this conversation again.
  expect(JSON.parse(storage.read("current") ?? "")).toMatchObject({ chatId });
  expect(states(runtime.getState())).toEqual(["refused"]);
  runtime.chats.startOver();
  expect(runtime.draft.get().text).toBe("First\nSecond");
  expect(storedTexts(storage)).toEqual([]);
});

test.each([
  ["rate_limited", ["refused", "refused"], "First\nSecond"],
  // The first message may have reached the server.
  ["upstream_unreachable", ["waiting", "refused"], "Second"],
] as const)("when a chat closes after %s, its messages are %j", async (code, expected, taken) => {
  const { runtime } = await readyPage(() => refusal(code, 40));
  runtime.delivery.send({ text: "First", files: [] });
  await expect.poll(() => states(runtime.getState())).toEqual(["waiting"]);
  runtime.delivery.send({ text: "Second", files: [] });
  runtime.publish(runtime.getState(), { type: "chat_read", chat: { ...chat, mode: "resolved" } });
  expect(states(runtime.getState())).toEqual(expected);
  runtime.chats.startOver();
  expect(runtime.draft.get().text).toBe(taken);
});

test("a stored message still waits for its answer when its chat closes", async () => {
  const stored = aMessage({ chatId, role: "visitor", text: "Hello", createdAt: at(11) });
  const { error } = new ChatApiError("service_unavailable", { retryAfterSeconds: 40 }).toBody("req_1");
  const { answers, messages } = aServer(() => streamOf(stored, welcome, { type: "error", error }));
  const { runtime } = aRuntimePage(answers, chatId);
  await expect.poll(() => runtime.getState().history.state).toBe("ready");
  runtime.delivery.send({ text: "Hello", files: [] });
  await expect.poll(() => states(runtime.getState())).toEqual(["waiting"]);
  messages.push(stored);
  await runtime.history.sync();
  runtime.publish(runtime.getState(), { type: "chat_read", chat: { ...chat, mode: "resolved" } });
  expect(states(runtime.getState())).toEqual(["waiting"]);
  runtime.chats.startOver();
  expect(runtime.draft.get().text).toBe("");
});

test("by default ends a wait when the network returns, but not on news", async () => {
  const { runtime, hear } = aRuntimePage();
  const ended = vi.fn();
  void runtime.sleep(60_000).then(ended);
  runtime.publish(runtime.getState(), { type: "news_read", messages: [aMessage()] });
  await new Promise(setImmediate);
  expect(ended).not.toHaveBeenCalled();
  hear("online");
  await new Promise(setImmediate);
  expect(ended).toHaveBeenCalled();
});

test("waits as long as the server asked, even when the network returns", async () => {
  const { answers } = aServer(() => refusal("rate_limited", 40));
  const { runtime, requests, hear } = aRuntimePage(answers, chatId);
  await expect.poll(() => runtime.getState().history.state).toBe("ready");
  runtime.delivery.send({ text: "Hello", files: [] });
  await expect.poll(() => states(runtime.getState())).toEqual(["waiting"]);
  const before = requests.length;
  hear("online");
  await new Promise(setImmediate);
  expect(states(runtime.getState())).toEqual(["waiting"]);
  expect(requests).toHaveLength(before);
});

test("hands the unsent messages of a closed runtime to the next one", () => {
  const { runtime, storage } = aRuntimePage();
  runtime.delivery.send({ text: "a whole question", files: [] });
  runtime.draft.set({ ...emptyDraft, text: "half a question" });
  const { createKey } = runtime.getState();
  const kept = () => `${storedTexts(storage)} ${storage.read(`draft:${createKey}`)}`;
  runtime.close();
  expect(kept()).toContain("a whole question");
  expect(kept()).toContain("half a question");
  const { text, records } = runtime.takeUnsent();
  expect([text, ...records.map((record) => record.text)]).toEqual(["half a question", "a whole question"]);
  expect(kept()).toBe(" null");
});

test("shows no unread mark for messages read before the chat was reopened", () => {
  const { runtime, storage } = aRuntimePage();
  storage.write(`chat:${chatId}`, "1");
  const [seen, last] = [aMessage(), aMessage()];
  runtime.chats.open("chat_00000001");
  const first = runtime.getState();
  runtime.publish(first, { type: "end_read", messages: [seen, last], hasOlder: false, seenId: seen.id });
  expect(runtime.getState().unreadAfterId).toBe(seen.id);
  runtime.history.markSeen(last.id);
  expect(runtime.chats.list()).toMatchObject([{ chatId, seenId: last.id }]);
  runtime.chats.openNew();
  runtime.chats.open("chat_00000001");
  expect(runtime.getState().messages).toEqual([seen, last]);
  expect(runtime.getState().unreadAfterId).toBeNull();
});

test("moves the messages of a chat that could not be created to the next one", async () => {
  const { runtime } = aRuntimePage((request) =>
    request === "POST /chats" ? refusal("chat_unavailable") : undefined,
  );
  await sendRefused(runtime);
  const { createKey } = runtime.getState();
  runtime.chats.openNew();
  expect(runtime.getState().createKey).not.toBe(createKey);
  expect(runtime.getState().pending.map(({ record }) => record.text)).toEqual(["Hello"]);
});

test("does not hand over messages from an earlier page", () => {
  const { runtime, storage } = aRuntimePage();
  const { createKey } = runtime.getState();
  const refused = failure("chat_unavailable");
  storeMessages(storage, aRecord({ createKey, chatId: null, text: "Hi", createdAt: 1, refusal: refused }));
  expect(runtime.takeUnsent().records).toEqual([]);
  expect(storedTexts(storage)).toEqual(["Hi"]);
});

test("delivers the message that another tab leaves in the outbox", async () => {
  const { runtime, storage, keys } = await readyPage();
  const sent = { createKey: "create-0000-1", chatId, text: "Hi", createdAt: Date.now() };
  storage.writeElsewhere("message:key-of-another-tab", JSON.stringify(sent));
  await expect.poll(() => keys).toEqual(["key-of-another-tab"]);
  expect(runtime.getState().pending.map(({ record: { text } }) => text)).toEqual(["Hi"]);
});

test("creates one chat for two uploads and the messages of a new conversation", async () => {
  const { answers } = aServer(() => undefined);
  let isAway = true;
  const { runtime, storage, keys } = aRuntimePage((request) =>
    isAway ? refusal("chat_unavailable") : answers(request),
  );
  await sendRefused(runtime);
  isAway = false;
  expect(await Promise.all([runtime.chats.require(), runtime.chats.require()])).toEqual([chatId, chatId]);
  await expect.poll(() => runtime.getState().messages).toHaveLength(1);
  expect(new Set(keys).size).toBe(1);
  const stored = createOutboxStore(storage, () => undefined).all();
  expect(stored).toMatchObject([{ text: "Hello", chatId }]);
});

test("returns a refused message with its files", async () => {
  const { answers } = aServer(() => refusal("invalid_request"));
  const { runtime } = aRuntimePage(answers, chatId);
  const files = [aFile()];
  runtime.delivery.send({ text: "See this", files });
  await expect.poll(() => states(runtime.getState())).toEqual(["refused"]);
  expect(runtime.delivery.takeBack(runtime.getState().pending[0]?.record.key ?? "")).toEqual({
    text: "See this",
    files,
    lost: [],
  });
});

test("a reload opens the conversation that replaced a deleted chat, with its draft", () => {
  const { runtime, storage } = aRuntimePage();
  runtime.draft.set({ ...emptyDraft, text: "half a question" });
  hold(runtime, "hub.png");
  const createKey = "create-0000-9";
  runtime.publish(runtime.getState(), { type: "restarted", createKey, isGone: true });
  expect(JSON.parse(storage.read("current") ?? "")).toEqual({ chatId: null, createKey });
  // The attachment bar of the deleted chat unmounts.
  runtime.draft.loseUploads();
  expect(aRuntimePage(undefined, null, storage).runtime.draft.get()).toEqual({
    text: "half a question",
    files: [],
    lost: ["hub.png"],
  });
});

test("remembers that a turn has passed the chat to the team", async () => {
  const { runtime } = await readyPage();
  const [openedAt] = runtime.chats.list().map((known) => known.openedAt);
  expect(openedAt).toBeGreaterThan(0);
  const turn = { message: aMessage({ chatId }), reply: null, chat: aChat({ ...chat, mode: "waiting" }) };
  runtime.publish(runtime.getState(), { type: "turn_done", key: "key-0000-0001", turn });
  expect(runtime.chats.list()).toMatchObject([{ chatId, awaitsTeam: true, isClosed: false }]);
});

test("retries a failed read of the chat as soon as an answer arrives", async () => {
  const { answers } = aServer(() => undefined);
  let isAway = true;
  const { runtime } = aRuntimePage(
    (request) => (isAway ? refusal("chat_unavailable", 300) : answers(request)),
    chatId,
  );
  await expect.poll(() => runtime.getState().history.state).toBe("failed");
  isAway = false;
  const turn = { message: aMessage({ chatId }), reply: null, chat };
  runtime.publish(runtime.getState(), { type: "turn_done", key: "key-0000-0001", turn });
  await expect.poll(() => runtime.getState().history.state).toBe("ready");
});

test("hands messages over without their chat, and keeps the draft of an earlier page", async () => {
  const storage = memoryStorage();
  storage.write(`draft:${chatId}`, JSON.stringify({ text: "of an earlier page", files: [] }));
  const { runtime } = await readyPage(undefined, storage);
  runtime.delivery.send({ text: "Hello", files: [] });
  expect(runtime.getState().pending[0]?.record).toMatchObject({ chatId, afterMessageId: welcome.id });
  const { text, records } = runtime.takeUnsent();
  expect(text).toBe("");
  expect(records).toMatchObject([{ text: "Hello", chatId: null, afterMessageId: null }]);
});

test("aborts the request in flight when the runtime closes", async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const { answers } = aServer(() => undefined);
  const { runtime } = aRuntimePage((request, { signal }) => {
    if (request === `POST /chats/${chatId}/messages`) signals.push(signal);
    return answers(request);
  }, chatId);
  runtime.delivery.send({ text: "Hello", files: [] });
  await expect.poll(() => signals.length).toBe(1);
  runtime.close();
  expect(signals[0]?.aborted).toBe(true);
});

test("starting over keeps the draft typed earlier in the new conversation", () => {
  const { runtime } = aRuntimePage();
  runtime.draft.set({ ...emptyDraft, text: "half a question" });
  runtime.chats.open(chatId);
  runtime.draft.set({ ...emptyDraft, text: "for a closed chat" });
  runtime.chats.startOver();
  expect(runtime.draft.get().text).toBe("for a closed chat\nhalf a question");
});

test("marks messages as unread that arrived since the customer last looked", async () => {
  const { answers, messages } = aServer(() => undefined);
  messages.push(aMessage({ chatId, text: "Are you there?", createdAt: at(11) }));
  const storage = memoryStorage();
  storage.write(`chat:${chatId}`, "1");
  storage.write(`seen:${chatId}`, welcome.id);
  const { runtime } = aRuntimePage(answers, chatId, storage);
  await expect.poll(() => runtime.getState().unreadAfterId).toBe(welcome.id);
});

test("reads the chat on every third poll and after news", async () => {
  const { answers, messages } = aServer(() => undefined);
  let current = chat;
  const { runtime, requests } = aRuntimePage(
    (request) => (request === `GET /chats/${chatId}` ? Response.json({ item: current }) : answers(request)),
    chatId,
  );
  await expect.poll(() => runtime.getState().history.state).toBe("ready");
  const reads = () => requests.filter((request) => request === `GET /chats/${chatId}`).length;
  const before = reads();
  for (let poll = 0; poll < 6; poll += 1) await runtime.history.sync();
  expect(reads() - before).toBe(2);
  await runtime.history.sync();
  messages.push(aMessage({ chatId, role: "system", createdAt: at(11) }));
  current = aChat({ ...chat, mode: "teammate" });
  await runtime.history.sync();
  expect(runtime.getState().chat?.mode).toBe("teammate");
});
