import { expect, onTestFinished, test, vi } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import { ChatApiError, type ErrorCode } from "../../chat-api/errors.ts";
import type { Message } from "../../chat-api/message.ts";
import type { ChatClient, StreamedEvent, TurnStream, WriteCall } from "../../chat-client/client.ts";
import { ChatConnectionError } from "../../chat-client/errors.ts";
import { createFailureOf, failure } from "../failure.ts";
import { unattendedSending } from "../limits.ts";
import { matchDelivered } from "../outbox/matching.ts";
import { keepsKey, type OutboxRecord } from "../outbox/outbox.ts";
import { createOutboxStore } from "../outbox/outbox-store.ts";
import { createPauses } from "../pauses.ts";
import type { ConversationAction } from "../state/reducer.ts";
import type { ChatStorage } from "../storage/storage.ts";
import { createTabs } from "../tabs/tabs.ts";
import { aChat, aMessage, aRecord } from "../testing/builders.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { storageWith } from "../testing/stored-messages.ts";
import { createDeliveryLoop, type DeliveryDeps } from "./delivery-loop.ts";

const chat = aChat();

async function* answer(message = aMessage({ role: "visitor", chatId: chat.id })) {
  const reply = aMessage({ role: "agent", chatId: chat.id });
  yield { type: "done", item: { message, reply, chat } };
}

/** A turn stream of these events: the loop reads nothing else of it. */
const asStream = (events: AsyncIterable<unknown>): TurnStream => ({
  replayed: false,
  async read(onEvent) {
    for await (const event of events) onEvent(event as StreamedEvent);
  },
});

type TestClient = Pick<ChatClient, "createChat" | "streamMessage">;

interface LoopOptions extends Partial<Omit<DeliveryDeps, "client">> {
  client?: TestClient;
}

/** A delivery loop over this storage, and the actions that it publishes. */
function aLoop(storage: ChatStorage, { client = clientOf(noStream), ...deps }: LoopOptions) {
  const told: ConversationAction[] = [];
  const outbox = createOutboxStore(storage, () => undefined);
  const closing = new AbortController();
  const { signal } = closing;
  const tabs = createTabs(memoryBrowser(), defaultBasePath, signal);
  const publish: DeliveryDeps["publish"] = (_conversation, action) => void told.push(action);
  const remembered = { adopt: () => undefined, current: () => null };
  const loop = createDeliveryLoop({
    tabs,
    outbox,
    client,
    pauses: createPauses(signal),
    signal,
    isOnline: () => true,
    failureOf: createFailureOf(),
    publish,
    readNews: () => Promise.resolve({ messages: [], mode: "agent", hasOlder: false }),
    syncSoon: () => Promise.resolve(),
    startSession: () => Promise.resolve(),
    messagesOf: () => [],
    storage,
    remembered,
    ...deps,
  });
  const close = () => closing.abort();
  onTestFinished(close);
  return { loop, close, outbox, told };
}

const noChat = () => Promise.reject(new Error("The chat exists."));
const noStream = (): never => {
  throw new Error("Nothing is sent.");
};

/** A client whose turns stream these events. Each chat exists, unless `createChat` creates it. */
const clientOf = (
  turn: (call: WriteCall) => AsyncIterable<unknown>,
  createChat: ChatClient["createChat"] = noChat,
): TestClient => ({
  createChat,
  streamMessage: (_chatId, _body, call) => asStream(turn(call)),
});

/** A loop that delivers this message. */
function deliver(record: OutboxRecord, deps: LoopOptions) {
  const { loop, ...page } = aLoop(storageWith(record), deps);
  loop.sendDue();
  return page;
}

/** A message to the chat that is written now. */
const newRecord = (more: Partial<OutboxRecord> = {}) => {
  latest = Math.max(Date.now(), latest + 1);
  return aRecord({ chatId: chat.id, createdAt: latest, ...more });
};
let latest = 0;

test("sends a message of another tab, which did not see the chat yet, to that chat in any language", async () => {
  const record = aRecord({ chatId: null, createdAt: Date.now(), locale: "de" });
  const current = () => ({ chatId: chat.id, createKey: record.createKey });
  const { told, outbox } = deliver(record, {
    client: clientOf(() => answer()),
    remembered: { adopt: () => undefined, current },
  });
  await expect.poll(() => told.at(-1)?.type).toBe("turn_done");
  expect(outbox.all()).toEqual([]);
});

test("asks for no second chat under a key whose chat another message names", async () => {
  const record = newRecord({ chatId: null });
  const { createKey } = record;
  const named = newRecord({ createKey, refusal: failure("rate_limited") });
  const sentTo: string[] = [];
  const { loop, outbox } = aLoop(storageWith(named, record), {
    client: {
      createChat: noChat,
      streamMessage(chatId) {
        sentTo.push(chatId);
        return asStream(answer());
      },
    },
  });
  loop.sendDue();
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  expect(sentTo).toEqual([chat.id]);
});

test("sends to the chat that another tab has created meanwhile, in another language", async () => {
  const record = aRecord({ chatId: null, createdAt: Date.now(), locale: "de" });
  let isSeen = false;
  const { told } = deliver(record, {
    client: clientOf(
      () => answer(),
      () => {
        isSeen = true;
        throw new ChatApiError("idempotency_conflict");
      },
    ),
    remembered: {
      adopt: () => undefined,
      current: () => ({ chatId: isSeen ? chat.id : null, createKey: record.createKey }),
    },
  });
  await expect.poll(() => told.at(-1)?.type).toBe("turn_done");
  expect(told.map(({ type }) => type)).not.toContain("restarted");
});

/** Tabs of one browser, the names of those that have sent, and what ends each turn. */
function severalTabs() {
  const storage = storageWith();
  const sent: string[] = [];
  const turns = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const newTab = (name: string) =>
    aLoop(storage, {
      client: clientOf(async function* () {
        await turns[sent.push(name) - 1]?.promise;
        yield* answer();
      }),
    });
  return { storage, sent, turns, newTab };
}

test("of several tabs the one that has put a message sends it, and another one once that has closed", async () => {
  const { storage, sent, turns, newTab } = severalTabs();
  const [first, second, third] = [newTab("first"), newTab("second"), newTab("third")];
  const queueAll = () => {
    for (const { loop } of [third, second, first]) loop.sendDue();
  };
  first.outbox.put(newRecord());
  first.loop.sendDue();
  await expect.poll(() => sent).toEqual(["first"]);
  queueAll();
  second.outbox.put(newRecord());
  first.outbox.put(newRecord());
  queueAll();
  turns[0]?.resolve();
  await expect.poll(() => sent).toEqual(["first", "second"]);
  queueAll();
  first.close();
  turns[1]?.resolve();
  await expect.poll(() => sent).toEqual(["first", "second", "third"]);
  second.outbox.put(newRecord());
  queueAll();
  turns[2]?.resolve();
  await expect.poll(() => sent).toEqual(["first", "second", "third", "second"]);
  await expect.poll(() => storage.names("message:")).toEqual([]);
});

test("gives way at each message of other tabs, not only at the first", async () => {
  const { sent, turns, newTab } = severalTabs();
  const [first, second, third, idle] = [newTab("first"), newTab("second"), newTab("third"), newTab("idle")];
  first.outbox.put(newRecord());
  first.loop.sendDue();
  await expect.poll(() => sent).toEqual(["first"]);
  idle.loop.sendDue();
  second.outbox.put(newRecord());
  second.loop.sendDue();
  turns[0]?.resolve();
  await expect.poll(() => sent).toEqual(["first", "second"]);
  third.outbox.put(newRecord());
  third.loop.sendDue();
  turns[1]?.resolve();
  await expect.poll(() => sent).toEqual(["first", "second", "third"]);
});

test("queues a message at once in the chat that a file of its page has created", async () => {
  const storage = storageWith();
  const sent: string[] = [];
  const newTab = (name: string) =>
    aLoop(storage, {
      client: clientOf(
        () => {
          sent.push(name);
          return answer();
        },
        async () => ({ item: chat, replayed: false }),
      ),
    });
  const [first, second] = [newTab("first"), newTab("second")];
  const record = newRecord({ chatId: null });
  // The second tab's turn comes while a third one still holds the conversation's lock of before the chat.
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  void memoryBrowser().locks?.request(`shop-chat:send:${record.createKey}`, () => {
    held.resolve();
    return ended;
  });
  await held.promise;
  first.outbox.put(record);
  first.loop.sendDue();
  await first.loop.newChat(record, "en");
  second.loop.sendDue();
  end();
  await expect.poll(() => storage.names("message:")).toEqual([]);
  expect(sent).toEqual(["first"]);
});

test("renews a create key to the same one in each tab", async () => {
  const record = newRecord({ chatId: null, refusal: failure("outdated") });
  const keysOf = () => {
    const { loop, told } = aLoop(storageWith(record), {});
    loop.renewCreateKey(record);
    loop.renewCreateKey({ ...record, ...told[0] });
    return told.map((action) => action.type === "restarted" && action.createKey);
  };
  expect(keysOf()).toEqual(keysOf());
  expect(new Set([record.createKey, ...keysOf()]).size).toBe(3);
});

test("sends a message once at a time although its conversation gets another name meanwhile", async () => {
  const record = newRecord({ chatId: null });
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: creation, reject } = Promise.withResolvers<never>();
  const createChat = () => {
    ask();
    return creation;
  };
  let turns = 0;
  const turn = () => {
    turns += 1;
    return answer();
  };
  const { loop, outbox } = aLoop(storageWith(record), {
    client: clientOf(turn, createChat),
    pauses: quickPauses().pauses,
  });
  loop.sendDue();
  await asked;
  // As a file does, which is uploaded to a new chat.
  loop.renewCreateKey(record);
  outbox.chatCreated(`${record.createKey}.2`, { chatId: chat.id });
  loop.sendDue();
  await new Promise(setImmediate);
  expect(turns).toBe(0);
  reject(new ChatConnectionError("createChat", "cut"));
  await expect.poll(() => outbox.all()).toEqual([]);
  expect(turns).toBe(1);
});

/** Records its waits and ends them at once. The hundredth wait never ends, to stop an endless loop. */
function quickPauses() {
  const waits: number[] = [];
  const sleep = (milliseconds: number): Promise<void> =>
    waits.push(milliseconds) < 100 ? Promise.resolve() : new Promise(() => undefined);
  return { waits, pauses: { sleep, wake: () => undefined } };
}

/** A client whose turns end in these ways, in order; the last one repeats. */
function clientEnding(...ends: (ErrorCode | "lost" | "answer")[]) {
  const keys: string[] = [];
  const client = clientOf(({ idempotencyKey }) => {
    const end = ends[keys.length] ?? ends.at(-1);
    keys.push(idempotencyKey);
    if (end === "answer" || end === undefined) return answer();
    throw end === "lost" ? new ChatConnectionError("sendMessage", "cut") : new ChatApiError(end);
  });
  return { client, keys };
}

const messageOf = (record: OutboxRecord) =>
  aMessage({ role: "visitor", chatId: chat.id, text: record.text, createdAt: null });
const deliveriesOf = (told: readonly ConversationAction[]) =>
  told.flatMap((action) => (action.type === "delivery_changed" ? [action.delivery.state] : []));

test("shows the listed answer of a turn whose every stream ends without `done`", async () => {
  const record = newRecord();
  const message = messageOf(record);
  let streams = 0;
  async function* half() {
    streams += 1;
    yield { type: "start", chatId: chat.id, requestId: "r", messageId: message.id, replyId: "reply-1" };
    yield { type: "delta", text: "You can" };
    throw new ChatConnectionError("sendMessage", "cut");
  }
  const { outbox, told } = deliver(record, {
    client: { createChat: noChat, streamMessage: () => asStream(half()) },
    pauses: quickPauses().pauses,
    readNews: async () => ({ messages: [message, aMessage()], mode: "agent", hasOlder: false }),
  });
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  expect(streams).toBe(2);
  expect(told.at(-1)).toEqual({ type: "settled", key: record.key });
});

test("asks the customer after two minutes when look-ups fail as well", async () => {
  const record = newRecord();
  const { waits, pauses } = quickPauses();
  const { outbox } = deliver(record, {
    client: clientEnding("operation_interrupted").client,
    readNews: () => Promise.reject(new ChatApiError("internal_error")),
    pauses,
  });
  await expect.poll(() => outbox.find(record.key)?.refusal?.code ?? waits.length).toBe("internal_error");
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(120_000);
});

test("looks an interrupted turn up until its answer is stored and does not resend it", async () => {
  const record = newRecord();
  const message = messageOf(record);
  const { client, keys } = clientEnding("operation_interrupted");
  const { waits, pauses } = quickPauses();
  let looks = 0;
  const { outbox, told } = deliver(record, {
    client,
    pauses,
    async readNews() {
      looks += 1;
      return { messages: looks < 4 ? [message] : [message, aMessage()], mode: "agent", hasOlder: false };
    },
  });
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  expect(keys).toEqual([record.key]);
  expect(waits).toEqual([1_000, 2_000, 4_000]);
  expect(deliveriesOf(told)).toEqual(["checking", "unsure", "unsure", "unsure"]);
  expect(told.at(-1)).toEqual({ type: "settled", key: record.key });
});

test("marks a message as listed if it is refused after its turn has started", async () => {
  for (const code of ["chat_limit_reached", "invalid_request", "payload_too_large"] as const) {
    const record = newRecord();
    const message = messageOf(record);
    const start = { type: "start", chatId: chat.id, requestId: "req_1", messageId: message.id, replyId: "r" };
    async function* startedOnly() {
      yield start;
      throw new ChatApiError(code);
    }
    const { outbox } = deliver(record, {
      client: clientOf(startedOnly),
      pauses: quickPauses().pauses,
      readNews: async () => ({ messages: [message], mode: "agent", hasOlder: false }),
    });
    await expect.poll(() => outbox.find(record.key)?.refusal).toMatchObject({ code, isListed: true });
  }
});

test("repeats a refused message under its key if the list does not reach back to it", async () => {
  for (const [afterMessageId, isKept] of [
    [null, true],
    [unlisted.id, true],
    [listed.id, false],
  ] as const) {
    const record = newRecord({ attempted: true, afterMessageId });
    const { outbox } = deliver(record, {
      client: clientEnding("payload_too_large").client,
      pauses: quickPauses().pauses,
      readNews: async () => ({ messages: [listed], mode: "agent", hasOlder: true }),
    });
    await expect.poll(() => outbox.find(record.key)?.refusal).toBeTruthy();
    const { refusal } = outbox.find(record.key) ?? {};
    expect(refusal && keepsKey(refusal), `after ${afterMessageId}`).toBe(isKept);
  }
});
const [unlisted, listed] = [1, 2].map(() => aMessage({ chatId: chat.id })) as [Message, Message];

test("is none of the equal messages on screen before its first attempt, nor in a tab that is behind", async () => {
  const record = newRecord({ attempted: false });
  const equal = messageOf(record);
  const { outbox } = deliver(record, {
    client: clientEnding("internal_error").client,
    pauses: quickPauses().pauses,
    messagesOf: () => [equal, listed],
  });
  await expect.poll(() => outbox.find(record.key)?.refusal).toBeTruthy();
  expect(matchDelivered(outbox.all(), [equal]).get(record.key)).toBeUndefined();
});

test("ends the look-up of a message that was removed from the outbox meanwhile", async () => {
  const record = newRecord();
  const readNews = vi.fn(async () => ({
    messages: [messageOf(record)],
    mode: "agent" as const,
    hasOlder: false,
  }));
  const { outbox, told } = deliver(record, {
    client: clientEnding("operation_interrupted").client,
    readNews,
    pauses: { sleep: async () => outbox.remove(record.key), wake: () => undefined },
  });
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  await new Promise(setImmediate);
  expect(readNews).toHaveBeenCalledTimes(1);
  expect(deliveriesOf(told)).toEqual(["checking", "unsure"]);
});

test("asks the customer before it sends a message that is a day old", async () => {
  const record = newRecord({ createdAt: Date.now() - unattendedSending, attempted: false });
  const { client, keys } = clientEnding("answer");
  const { outbox } = deliver(record, { client });
  await expect.poll(() => outbox.find(record.key)?.refusal?.code).toBe("outdated");
  expect(keys).toEqual([]);
});

test("looks a message that is a day old up instead of sending it again", async () => {
  const record = newRecord({ createdAt: Date.now() - unattendedSending, attempted: true });
  const { client, keys } = clientEnding("answer");
  const { outbox, told } = deliver(record, {
    client,
    readNews: async () => ({ messages: [messageOf(record), aMessage()], mode: "agent", hasOlder: false }),
  });
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  expect(told.at(-1)).toEqual({ type: "settled", key: record.key });
  expect(keys).toEqual([]);
});

/** A client whose first request for a chat fails with this error, and the keys of these requests. */
function clientCreatingAfter(code: ErrorCode) {
  const created: string[] = [];
  const client = clientOf(
    () => answer(),
    async (_body, { idempotencyKey }) => {
      if (created.push(idempotencyKey) === 1) throw new ChatApiError(code);
      return { item: chat, replayed: false };
    },
  );
  return { client, created };
}

test.each([true, false])("replaces an expired create key in the outbox; attempted: %s", async (attempted) => {
  const first = newRecord({ chatId: null, attempted });
  const second = aRecord({ chatId: null, createdAt: first.createdAt + 1, attempted: false });
  const { client, created } = clientCreatingAfter("idempotency_key_expired");
  const { loop, outbox, told } = aLoop(storageWith(first, second), { client });
  loop.sendDue();
  await expect.poll(() => outbox.all()).toEqual([]);
  expect(created).toHaveLength(2);
  expect(created[0]).toBe(first.createKey);
  expect(created[1]).not.toBe(first.createKey);
  expect(told.find(({ type }) => type === "restarted")).toEqual({
    type: "restarted",
    createKey: created[1],
    isGone: attempted,
  });
});

test("does not create another chat when the key of a message has expired", async () => {
  const record = newRecord({ chatId: chat.id });
  const { outbox } = deliver(record, {
    client: clientEnding("idempotency_key_expired").client,
    pauses: quickPauses().pauses,
    readNews: async () => ({ messages: [], mode: "agent", hasOlder: false }),
  });
  await expect
    .poll(() => outbox.find(record.key)?.refusal)
    .toMatchObject({ code: "idempotency_key_expired", isListed: false });
  expect(outbox.find(record.key)?.chatId).toBe(chat.id);
});

test("shows why a chat could not be created, without a look-up", async () => {
  const record = newRecord({ chatId: null });
  const readNews = vi.fn(async () => ({ messages: [], mode: "agent" as const, hasOlder: false }));
  const { outbox } = deliver(record, {
    client: clientOf(noStream, () =>
      Promise.reject(new ChatApiError("internal_error", { requestId: "req_1" })),
    ),
    pauses: quickPauses().pauses,
    readNews,
  });
  await expect
    .poll(() => outbox.find(record.key)?.refusal)
    .toMatchObject({ code: "internal_error", requestId: "req_1", isListed: null });
  expect(readNews).not.toHaveBeenCalled();
});

test("leaves a failed session start to the next attempt to report", async () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const record = newRecord();
  const { outbox } = deliver(record, {
    client: clientEnding("session_required").client,
    startSession: () => Promise.reject(new Error("away")),
  });
  await expect.poll(() => outbox.find(record.key)?.refusal?.code).toBe("session_required");
  expect(reported).not.toHaveBeenCalled();
});

test("requests the chat under a new key if its key was used with another language", async () => {
  const record = newRecord({ chatId: null });
  const { client, created } = clientCreatingAfter("idempotency_conflict");
  const { outbox, told } = deliver(record, { client });
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  expect(created).toHaveLength(2);
  expect(created[1]).not.toBe(record.createKey);
  expect(told.map(({ type }) => type)).toContain("turn_done");
  // The first chat may exist, so it is not reported as gone.
  expect(told).toContainEqual({ type: "restarted", createKey: created[1], isGone: false });
});

test("news ends a wait for another reply, but not a wait for a rate limit", async () => {
  for (const [code, count] of [
    ["turn_in_progress", 2],
    ["rate_limited", 1],
  ] as const) {
    const record = newRecord();
    const sent: string[] = [];
    const pauses = createPauses(new AbortController().signal);
    const { told } = deliver(record, {
      pauses,
      client: clientOf(({ idempotencyKey }) => {
        sent.push(idempotencyKey);
        if (sent.length === 1) throw new ChatApiError(code, { retryAfterSeconds: 60 });
        return answer();
      }),
    });
    const isWaiting = () =>
      told.some((action) => action.type === "delivery_changed" && action.delivery.state === "waiting");
    await expect.poll(isWaiting).toBe(true);
    pauses.wake("news");
    await new Promise(setImmediate);
    expect(sent, code).toHaveLength(count);
  }
});

test("renews a conflicting create key once, then refuses the message", async () => {
  const record = newRecord({ chatId: null });
  const created: string[] = [];
  const { outbox } = deliver(record, {
    client: clientOf(noStream, async (_body, { idempotencyKey }) => {
      if (created.push(idempotencyKey) > 5) await new Promise(() => undefined);
      throw new ChatApiError("idempotency_conflict");
    }),
  });
  await expect
    .poll(() => outbox.find(record.key)?.refusal?.code ?? created.length)
    .toBe("idempotency_conflict");
  expect(new Set(created).size).toBe(2);
});

test.each([
  [false, false],
  [true, true],
])("a refused message (attempted before: %s) may be in the list: %s", async (attempted, mayBeListed) => {
  const record = newRecord({ attempted });
  const { pauses } = quickPauses();
  const { outbox } = deliver(record, { client: clientEnding("payload_too_large").client, pauses });
  await expect.poll(() => outbox.find(record.key)?.refusal?.code).toBe("payload_too_large");
  expect(outbox.find(record.key)?.attempted).toBe(mayBeListed);
});

test("reads the latest messages when a message is refused because the chat is closed", async () => {
  const record = newRecord({ attempted: false });
  const readNews = vi.fn(async () => ({ messages: [], mode: "resolved" as const, hasOlder: false }));
  const { outbox } = deliver(record, { client: clientEnding("chat_closed").client, readNews });
  await expect.poll(() => outbox.find(record.key)?.refusal?.code).toBe("chat_closed");
  expect(readNews).toHaveBeenCalledOnce();
});

const refusedBody = new ChatApiError("payload_too_large");

test.each([
  ["in this page", false, [new ChatConnectionError("sendMessage", "cut"), refusedBody]],
  ["that a proxy answered", false, [new ChatApiError("upstream_unreachable"), refusedBody]],
  ["in an earlier page", true, [refusedBody]],
])(
  "looks a message up that is refused after an attempt with an unknown outcome %s",
  async (_, attempted, failures) => {
    const record = newRecord({ attempted });
    const stored = aMessage({ role: "visitor", chatId: chat.id, text: record.text });
    const { outbox } = deliver(record, {
      client: clientOf(() => {
        throw failures.shift();
      }),
      pauses: quickPauses().pauses,
      readNews: async () => ({
        messages: [stored, aMessage({ role: "agent", chatId: chat.id })],
        mode: "agent",
        hasOlder: false,
      }),
    });
    await expect.poll(() => outbox.all()).toEqual([]);
  },
);

test("waits for the rest of Retry-After after a reload before it sends", async () => {
  const pause = failure("rate_limited", { at: Date.now() - 10_000, retryAfterSeconds: 40 });
  const record = newRecord({ pause });
  const { waits, pauses } = quickPauses();
  const { client, keys } = clientEnding("answer");
  const { outbox, told } = deliver(record, { client, pauses });
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeGreaterThan(28_000);
  expect(waits[0]).toBeLessThanOrEqual(30_000);
  expect(deliveriesOf(told)[0]).toBe("waiting");
  expect(keys).toEqual([record.key]);
});

test("stores the server's requested wait with the message until it is sent", async () => {
  const record = newRecord();
  const stored: unknown[] = [];
  const { outbox } = deliver(record, {
    client: clientOf(() => {
      stored.push(outbox.find(record.key)?.pause?.retryAfterSeconds ?? null);
      if (stored.length > 1) return answer();
      throw new ChatApiError("rate_limited", { retryAfterSeconds: 12 });
    }),
    pauses: {
      async sleep() {
        stored.push(outbox.find(record.key)?.pause?.retryAfterSeconds ?? null);
      },
      wake: () => undefined,
    },
  });
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  expect(stored).toEqual([null, 12, null]);
});

test("lets the customer end its own wait, but not the one that the server asked for", async () => {
  const record = newRecord();
  const waits: [number, string | undefined][] = [];
  const { outbox } = deliver(record, {
    client: clientOf(() => {
      if (waits.length > 0) return answer();
      throw new ChatApiError("service_unavailable", { retryAfterSeconds: 1 });
    }),
    pauses: { sleep: async (wait, end) => void waits.push([wait, end]), wake: () => undefined },
  });
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  expect(waits).toEqual([
    [1_000, "time"],
    [1_000, "network"],
  ]);
});
