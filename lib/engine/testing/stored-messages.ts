import type { OutboxRecord } from "../outbox/outbox.ts";
import { createOutboxStore } from "../outbox/outbox-store.ts";
import type { ChatStorage } from "../storage/storage.ts";
import { memoryStorage } from "./memory-storage.ts";

/** Storage in which an earlier page has left these messages. */
export function storageWith(...records: OutboxRecord[]): ChatStorage {
  const storage = memoryStorage();
  storeMessages(storage, ...records);
  return storage;
}

export function storeMessages(storage: ChatStorage, ...records: OutboxRecord[]): void {
  const outbox = createOutboxStore(storage, () => undefined);
  for (const record of records) outbox.put(record);
}

/** The texts of the stored messages. */
export const storedTexts = (storage: ChatStorage): string[] =>
  createOutboxStore(storage, () => undefined)
    .all()
    .map(({ text }) => text);
