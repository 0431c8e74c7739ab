/**
 * The outbox in the browser's storage. Every tab writes there, and another tab's write can arrive late. So
 * each record has its own two entries: what the customer sent, and how its delivery stands. A late write of
 * the second neither restores a message that has left the outbox nor changes its content.
 */
import type { Message } from "../../chat-api/message.ts";
import type { ChatStorage } from "../storage/storage.ts";
import { isRecord, parseJson } from "../storage/stored.ts";
import { attemptName, messageName } from "../storage-names.ts";
import { isContentOf } from "./matching.ts";
import { attemptFields, type OutboxRecord, parseRecord } from "./outbox.ts";

export function isOutboxEntry(name: string): boolean {
  return name.startsWith(messageName("")) || name.startsWith(attemptName(""));
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

export function createOutboxStore(storage: ChatStorage, onChange: () => void) {
  const isAttemptField = (field: string) => attemptFields.some((known) => known === field);

  /** Writes the entries of the changed fields. */
  function write(record: OutboxRecord, changed: Partial<OutboxRecord> = record): OutboxRecord {
    const { key, attempted, pause, refusal, createdAt, ...sent } = record;
    const fields = Object.keys(changed);
    // The attempt first: no other tab may see a refused message without its refusal, and send it.
    if (fields.some(isAttemptField))
      storage.write(attemptName(key), JSON.stringify({ attempted, pause, refusal, createdAt }));
    if (fields.some((field) => !isAttemptField(field)))
      storage.write(messageName(key), JSON.stringify({ ...sent, createdAt }));
    return record;
  }

  function find(key: string): OutboxRecord | null {
    const sent = parseJson(storage.read(messageName(key)));
    const latest = parseJson(storage.read(attemptName(key)));
    return isRecord(sent) ? parseRecord({ ...sent, ...(isRecord(latest) ? latest : {}), key }) : null;
  }

  const keysOf = (prefix: string) => storage.names(prefix).map((name) => name.slice(prefix.length));

  /** In the order in which they are sent. */
  const all = (): OutboxRecord[] =>
    keysOf(messageName(""))
      .map(find)
      .filter((record) => record !== null)
      .sort((a, b) => a.createdAt - b.createdAt);

  // Left by a tab that wrote after another one had removed the message.
  for (const key of keysOf(attemptName(""))) if (find(key) === null) storage.write(attemptName(key), null);

  function put(record: OutboxRecord): OutboxRecord {
    write(record);
    onChange();
    return record;
  }

  /** Applies `change` to the record if it still exists. */
  function update(key: string, change: Partial<Omit<OutboxRecord, "key">>): OutboxRecord | null {
    const record = find(key);
    if (record === null) return null;
    const changed = write({ ...record, ...change }, change);
    onChange();
    return changed;
  }

  function remove(key: string): void {
    storage.write(messageName(key), null);
    storage.write(attemptName(key), null);
    onChange();
  }

  return {
    all,
    find,
    put,
    update,
    remove,
    /** Removes a delivered record, whose message no other record can have become. */
    settle(delivered: OutboxRecord, stored: Message) {
      for (const other of all())
        if (other.key !== delivered.key && other.chatId === delivered.chatId && isContentOf(other, stored))
          update(other.key, { takenIds: [...other.takenIds, stored.id] });
      remove(delivered.key);
    },
    /** Gives the ID of a new chat to the records that wait for it. */
    chatCreated(createKey: string, chatId: string) {
      for (const record of all())
        if (record.createKey === createKey && record.chatId === null) update(record.key, { chatId });
    },
  };
}
