import { expect, onTestFinished, test } from "vitest";
import type { ChatClient, TurnStream, WriteCall } from "#lib/chat-client/client.ts";
import type { ConversationAction } from "#lib/conversation/reducer.ts";
import { aChat, aMessage, aRecord } from "#lib/conversation/testing/builders.ts";
import { createAlarm } from "./alarm.ts";
import { createDeliveryLoop } from "./delivery-loop.ts";
import { createOutboxStore } from "./outbox-store.ts";
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

test("a chat that is drawn anew goes on with what the one before it was sending, under the same key", async () => {
  const record = aRecord({ chatId: chat.id, createdAt: Date.now() });
  const storage = memoryStorage();
  storage.write("outbox", JSON.stringify([record]));
  const tabs = createTabs();
  onTestFinished(() => tabs.close());
  const keys: string[] = [];

  function aLoop(told: ConversationAction[], stream: (call: WriteCall) => AsyncIterable<unknown>) {
    const client: Pick<ChatClient, "createChat" | "streamMessage"> = {
      createChat: () => Promise.reject(new Error("The chat exists.")),
      streamMessage(_chatId, _body, call) {
        keys.push(call.idempotencyKey);
        return stream(call) as TurnStream;
      },
    };
    return createDeliveryLoop({
      client,
      tabs,
      outbox: createOutboxStore(storage, () => undefined),
      alarm: createAlarm(),
      publish: (_conversation, action) => void told.push(action),
      readNews: () => Promise.resolve([]),
      startSession: () => Promise.resolve(),
      onChatCreated: () => undefined,
    });
  }

  const before = aLoop([], silence);
  before.kick();
  await expect.poll(() => keys).toHaveLength(1);
  const told: ConversationAction[] = [];
  const after = aLoop(told, answer);
  onTestFinished(() => after.close());
  after.kick();
  before.close();
  await expect.poll(() => told.map(({ type }) => type)).toContain("turn_done");
  expect(keys).toEqual([record.key, record.key]);
  expect(storage.read("outbox")).toBeNull();
});
