/** Messages and chats as earlier versions stored them: one entry each. Loaded only if there is one. */
import { parseChat } from "./chats/chat-list.ts";
import type { Remembered } from "./chats/remembered.ts";
import { parseRecord } from "./outbox/outbox.ts";
import type { OutboxStore } from "./outbox/outbox-store.ts";
import type { ChatStorage } from "./storage/storage.ts";
import { parseJson } from "./storage/stored.ts";

export function moveFormerEntries(storage: ChatStorage, outbox: OutboxStore, remembered: Remembered): void {
  for (const { chatId, openedAt, seenId, ...state } of parseList(storage.read("chats"), parseChat)) {
    remembered.opened(chatId, openedAt);
    if (seenId !== null) remembered.seen(chatId, seenId);
    remembered.changed(chatId, state);
  }
  for (const record of parseList(storage.read("outbox"), parseRecord)) outbox.put(record);
  for (const name of ["chats", "outbox"]) storage.write(name, null);
}

function parseList<T>(stored: string | null, parseItem: (value: unknown) => T | null): T[] {
  const value = parseJson(stored);
  return Array.isArray(value) ? value.map(parseItem).filter((item) => item !== null) : [];
}
