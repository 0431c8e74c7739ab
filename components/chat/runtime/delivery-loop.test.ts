import { expect, onTestFinished, test, vi } from "vitest";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { ChatClient, TurnStream, WriteCall } from "#lib/chat-client/client.ts";
import type { OutboxRecord } from "#lib/conversation/outbox.ts";
import type { ConversationAction } from "#lib/conversation/reducer.ts";
import { aChat, aMessage, aRecord } from "#lib/conversation/testing/builders.ts";
import { createAlarm } from "./alarm.ts";
import { createDeliveryLoop, type DeliveryDeps } from "./delivery-loop.ts";
import { createOutboxStore } from "./outbox-store.ts";
import type { ChatStorage } from "./storage.ts";
import { createTabs } from "./tabs.ts";
import { memoryStorage } from "./testing/memory-storage.ts";

const chat = aChat();

/** A stream that says nothing until it is left, as an agent that thinks. */
async function* silence(call: WriteCall): AsyncGenerator<never, void, undefined> {
  await new Promise<void>((resolve) => {
    if (call.signal?.aborted) resolve();
    call.signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function* answer(): AsyncGenerator<{ type: "done"; item: object }, void, undefined> {
  const message = aMessage({ role: "visitor", chatId: chat.id });
  const reply = aMessage({ role: "agent", chatId: chat.id });
  yield { type: "done", item: { message, reply, chat } };
}

/** As far as the loop reads it. */
const asStream = (events: AsyncIterable<unknown>) => events as TurnStream;

/** A loop over what lies in the storage, and the actions that it tells. */
function aLoop(storage: ChatStorage, deps: Partial<DeliveryDeps>) {
  const told: ConversationAction[] = [];
  const tabs = createTabs();
  const outbox = createOutboxStore(storage, () => undefined);
  const loop = createDeliveryLoop({
    tabs,
    outbox,
    client: { createChat: noChat, streamMessage: noStream },
    alarm: createAlarm(),
    publish: (_conversation, action) => void told.push(action),
    readNews: () => Promise.resolve([]),
    startSession: () => Promise.resolve(),
    onChatCreated: () => undefined,
    ...deps,
  });
  onTestFinished(() => {
    loop.close();
    tabs.close();
  });
  return { loop, outbox, told };
}

const noChat = () => Promise.reject(new Error("The chat exists."));
const noStream: ChatClient["streamMessage"] = () => {
  throw new Error("Nothing is sent.");
};

function storageWith(record: OutboxRecord): ChatStorage {
  const storage = memoryStorage();
  storage.write("outbox", JSON.stringify([record]));
  return storage;
}

test("a chat that is drawn anew goes on with what the one before it was sending, under the same key", async () => {
  const record = aRecord({ chatId: chat.id, createdAt: Date.now() });
  const storage = storageWith(record);
  const keys: string[] = [];
  const clientOf = (stream: (call: WriteCall) => AsyncIterable<unknown>): DeliveryDeps["client"] => ({
    createChat: noChat,
    streamMessage(_chatId, _body, call) {
      keys.push(call.idempotencyKey);
      return asStream(stream(call));
    },
  });

  const { loop: before } = aLoop(storage, { client: clientOf(silence) });
  before.kick();
  await expect.poll(() => keys).toHaveLength(1);
  const { loop: after, told } = aLoop(storage, { client: clientOf(answer) });
  after.kick();
  before.close();
  await expect.poll(() => told.map(({ type }) => type)).toContain("turn_done");
  expect(keys).toEqual([record.key, record.key]);
  expect(storage.read("outbox")).toBeNull();
});

test("where the outcome cannot be looked up either, it is tried for a while, then the customer decides", async () => {
  const record = aRecord({ chatId: chat.id, createdAt: Date.now() });
  const waits: number[] = [];
  const { loop, outbox } = aLoop(storageWith(record), {
    client: {
      createChat: noChat,
      streamMessage() {
        throw new ChatApiError("operation_interrupted");
      },
    },
    readNews: () => Promise.reject(new ChatApiError("internal_error")),
    alarm: {
      // What goes on for ever stands still here, for the test to end.
      sleep: (milliseconds) =>
        waits.push(milliseconds) < 100 ? Promise.resolve() : new Promise(() => undefined),
      ring: () => undefined,
    },
  });
  vi.stubGlobal("navigator", { onLine: true });
  onTestFinished(() => void vi.unstubAllGlobals());
  loop.kick();
  await expect.poll(() => outbox.find(record.key)?.refusal?.code ?? waits.length).toBe("internal_error");
  expect(waits.length).toBeGreaterThan(2);
});

test("where the chat was begun in another language under its key, it is begun anew, once", async () => {
  const record = aRecord({ chatId: null, createdAt: Date.now() });
  const created: string[] = [];
  const { loop, outbox, told } = aLoop(storageWith(record), {
    client: {
      async createChat(_body, { idempotencyKey }) {
        created.push(idempotencyKey);
        if (idempotencyKey === record.createKey) throw new ChatApiError("idempotency_conflict");
        return { item: chat, replayed: false };
      },
      streamMessage: () => asStream(answer()),
    },
  });
  loop.kick();
  await expect.poll(() => outbox.find(record.key)).toBeNull();
  expect(created).toHaveLength(2);
  expect(told.map(({ type }) => type)).toContain("turn_done");
});

test("a message that waits for another one's reply goes out when there are news, another one when its time has come", async () => {
  for (const [code, count] of [
    ["turn_in_progress", 2],
    ["rate_limited", 1],
  ] as const) {
    const record = aRecord({ chatId: chat.id, createdAt: Date.now() });
    const sent: string[] = [];
    const alarm = createAlarm();
    const { loop, told } = aLoop(storageWith(record), {
      alarm,
      client: {
        createChat: noChat,
        streamMessage(_chatId, _body, { idempotencyKey }) {
          sent.push(idempotencyKey);
          if (sent.length === 1) throw new ChatApiError(code, { retryAfterSeconds: 60 });
          return asStream(answer());
        },
      },
    });
    loop.kick();
    const isWaiting = () =>
      told.some((action) => action.type === "delivery_changed" && action.delivery.state === "waiting");
    await expect.poll(isWaiting).toBe(true);
    alarm.ring(true);
    await new Promise(setImmediate);
    expect(sent, code).toHaveLength(count);
  }
});
