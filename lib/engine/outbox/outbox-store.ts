/**
 * The outbox in the browser's storage. Every tab writes there, and another tab's write can arrive late. So
 * each record has three entries: what the customer sent, where, and how its delivery stands. The first is
 * written once, so that no late write restores a message that has left the outbox.
 */
import type { Message } from "../../chat-api/message.ts";
import type { ChatStorage } from "../storage/storage.ts";
import { fieldsOf, isRecord, parseJson } from "../storage/stored.ts";
import { attemptName, messageName, placeName, settledName } from "../storage-names.ts";
import { isOutdated } from "./delivery-rules.ts";
import { isContentOf } from "./matching.ts";
import { attemptFields, type OutboxRecord, parseRecord, placeFields } from "./outbox.ts";

/** The entries that change, in the order in which they are written. */
const changing = [
  { nameOf: attemptName, fields: attemptFields },
  { nameOf: placeName, fields: placeFields },
] as const;

const names = [...changing.map(({ nameOf }) => nameOf), messageName];

export function isOutboxEntry(name: string): boolean {
  return names.some((nameOf) => name.startsWith(nameOf("")));
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

export function createOutboxStore(storage: ChatStorage, onChange: () => void) {
  /** The keys of the records that this page has put. */
  const own = new Set<string>();
  /** The records that another tab has delivered, by key, while the page still shows them. */
  const leaving = new Map<string, OutboxRecord>();

  /** Writes the entries of the changed fields. */
  function write(record: OutboxRecord, changed: Partial<OutboxRecord> = record): void {
    for (const { nameOf, fields } of changing)
      if (fields.some((field) => field in changed))
        storage.write(
          nameOf(record.key),
          JSON.stringify(Object.fromEntries(fields.map((field) => [field, record[field]]))),
        );
  }

  function find(key: string): OutboxRecord | null {
    const [sent, ...changed] = names.toReversed().map((nameOf) => parseJson(storage.read(nameOf(key))));
    if (!isRecord(sent)) return null;
    return parseRecord(Object.assign({}, sent, ...changed.filter(isRecord), { key }));
  }

  const keysOf = (prefix: string) => storage.names(prefix).map((name) => name.slice(prefix.length));

  /** The records in the order in which they are sent. */
  const all = (): OutboxRecord[] =>
    keysOf(messageName(""))
      .map(find)
      .filter((record) => record !== null)
      .sort((a, b) => a.createdAt - b.createdAt);

  // Left by a tab that wrote after another one had removed the message. A new one may precede its message.
  const isNew = (attempt: unknown) => !isOutdated(fieldsOf(attempt, { createdAt: 0 }), Date.now());
  for (const { nameOf } of changing)
    for (const key of keysOf(nameOf("")))
      if (find(key) === null && !isNew(parseJson(storage.read(attemptName(key)))))
        storage.write(nameOf(key), null);

  function put(record: OutboxRecord): OutboxRecord {
    own.add(record.key);
    write(record);
    // Last: no other tab may see a refused message without its refusal, and send it.
    storage.write(messageName(record.key), JSON.stringify(record));
    onChange();
    return record;
  }

  /** Applies `change` to the record if it still exists. */
  function update(key: string, change: Partial<Omit<OutboxRecord, "key">>): OutboxRecord | null {
    const record = find(key);
    if (record === null) return null;
    const changed = { ...record, ...change };
    write(changed, change);
    onChange();
    return changed;
  }

  function remove(key: string): void {
    for (const nameOf of names.toReversed()) storage.write(nameOf(key), null);
    onChange();
  }

  return {
    all,
    leaving,
    /** Whether this page has put the record, not an earlier page or another tab. */
    isOfPage: (key: string) => own.has(key),
    find,
    put,
    update,
    remove,
    /** Removes a delivered record, whose message no other record can have become. */
    settle({ key, chatId }: OutboxRecord, stored: Message) {
      const isEqual = (other: OutboxRecord) =>
        other.key !== key && other.chatId === chatId && isContentOf(other, stored);
      const taken = ({ takenIds }: OutboxRecord) => ({ takenIds: [...takenIds, stored.id] });
      for (const other of all().filter(isEqual)) update(other.key, taken(other));
      for (const other of [...leaving.values()].filter(isEqual))
        leaving.set(other.key, { ...other, ...taken(other) });
      storage.write(settledName(stored.chatId), stored.id);
      remove(key);
    },
    /** Gives the ID of a new chat, and its language if it is known, to the records that wait for it. */
    chatCreated(createKey: string, chat: { chatId: string; locale?: string }) {
      for (const record of all())
        if (record.createKey === createKey && record.chatId === null) update(record.key, chat);
    },
  };
}
