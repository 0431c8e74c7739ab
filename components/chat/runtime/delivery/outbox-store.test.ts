import { expect, test } from "vitest";
import { aRecord } from "../../../../lib/conversation/testing/builders.ts";
import { memoryStorage } from "../testing/memory-storage.ts";
import { createOutboxStore } from "./outbox-store.ts";

test("assigns a new chat only to the messages that wait for it", () => {
  const outbox = createOutboxStore(memoryStorage(), () => undefined);
  const waiting = outbox.put(aRecord({ chatId: null, createKey: "create-0000-1" }));
  const ofAnother = outbox.put(aRecord({ chatId: null, createKey: "create-0000-2" }));
  const started = outbox.put(aRecord({ chatId: "chat_00000002", createKey: "create-0000-1" }));
  outbox.chatCreated("create-0000-1", "chat_00000001");
  const chatOf = ({ key }: typeof waiting) => outbox.find(key)?.chatId;
  expect([waiting, ofAnother, started].map(chatOf)).toEqual(["chat_00000001", null, "chat_00000002"]);
});

test("an update does not restore a message that was taken back", () => {
  const outbox = createOutboxStore(memoryStorage(), () => undefined);
  const { key } = outbox.put(aRecord());
  outbox.remove(key);
  expect(outbox.update(key, { attempted: true })).toBeNull();
  expect(outbox.all()).toEqual([]);
});
