import { expect, test } from "vitest";
import { createRemembered } from "./chats/remembered.ts";
import { failure } from "./failure.ts";
import { moveFormerEntries } from "./former-entries.ts";
import { createOutboxStore } from "./outbox/outbox-store.ts";
import { aChat, aRecord } from "./testing/builders.ts";
import { memoryStorage } from "./testing/memory-storage.ts";

test("takes over the messages and chats that an earlier version stored", () => {
  const storage = memoryStorage();
  const chat = { chatId: aChat().id, openedAt: 7, seenId: "message_1", awaitsTeam: true, isClosed: false };
  const records = [aRecord(), aRecord({ refusal: failure("chat_closed") })];
  storage.write("chats", JSON.stringify([chat, 7]));
  storage.write("outbox", JSON.stringify([...records, { key: "short" }]));
  const [outbox, remembered] = [createOutboxStore(storage, () => undefined), createRemembered(storage)];
  moveFormerEntries(storage, outbox, remembered);
  expect(remembered.chats()).toEqual([chat]);
  expect(outbox.all()).toEqual(records);
  expect([storage.read("chats"), storage.read("outbox")]).toEqual([null, null]);
});
