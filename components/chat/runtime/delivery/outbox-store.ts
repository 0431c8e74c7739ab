/** The outbox in the browser's storage. Every tab writes to it, so each change reads and writes it whole. */
import {
  type OutboxRecord,
  parseOutbox,
  putRecord,
  removeRecord,
} from "../../../../lib/conversation/delivery/outbox.ts";
import type { ChatStorage } from "../storage/storage.ts";

export const outboxName = "outbox";

export type OutboxStore = ReturnType<typeof createOutboxStore>;

export function createOutboxStore(storage: ChatStorage, onChange: () => void) {
  const all = () => parseOutbox(storage.read(outboxName));

  function write(records: readonly OutboxRecord[]): void {
    storage.write(outboxName, records.length === 0 ? null : JSON.stringify(records));
    onChange();
  }

  function put(record: OutboxRecord): OutboxRecord {
    write(putRecord(all(), record));
    return record;
  }

  const find = (key: string) => all().find((record) => record.key === key) ?? null;

  return {
    all,
    find,
    put,
    /** Applies `change` to the record if it still exists. */
    update(key: string, change: Partial<OutboxRecord>) {
      const record = find(key);
      return record === null ? null : put({ ...record, ...change });
    },
    remove: (key: string) => write(removeRecord(all(), key)),
    /** Gives the ID of a new chat to the records that wait for it. */
    chatCreated(createKey: string, chatId: string) {
      write(
        all().map((record) =>
          record.createKey === createKey && record.chatId === null ? { ...record, chatId } : record,
        ),
      );
    },
  };
}
