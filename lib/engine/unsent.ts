/**
 * Text and files of the customer before the server has named them. They are on screen at once and wait for
 * the owner's chats. From `keep` on this tab stores it: a reload before the answer loses nothing.
 */
import { type Draft, emptyDraft, parseDraft } from "./chats/draft.ts";
import { newRecord } from "./delivery/outgoing.ts";
import { newKey } from "./new-key.ts";
import { type OutboxRecord, parseRecord } from "./outbox/outbox.ts";
import { unfinishedNames } from "./state/attachments.ts";
import type { ChatStore } from "./state/store.ts";
import type { ChatStorage } from "./storage/storage.ts";
import { isRecord, parseJson } from "./storage/stored.ts";
import { unsentName } from "./storage-names.ts";
import { type ChosenFile, createChoice } from "./uploads/choice.ts";

export interface Unsent {
  draft: Draft;
  records: readonly OutboxRecord[];
  files: readonly ChosenFile[];
}

const nothing = () => undefined;

export function createUnsent(store: ChatStore, tab: ChatStorage, locale: () => string) {
  const draft = {
    get: () => store.getState().draft,
    set: (changed: Draft) => store.set({ draft: changed }),
    clear: () => store.set({ draft: emptyDraft }),
  };
  const uploads = { startNew: nothing, cancel: nothing, cancelAll: nothing };
  const choice = createChoice({ owner: "", store, draft, tab, uploads });
  const stored = tab.read(unsentName);
  let records = recordsIn(stored);
  let isKept = false;
  draft.set(parseDraft(stored, Date.now()));
  // The key of the earlier page's conversation: a copy of that tab begins the same chat.
  const [first] = records;
  if (first !== undefined) store.show({ chatId: null, createKey: first.createKey });
  showRecords();
  const stop = store.follow(write);

  function showRecords(): void {
    store.dispatch({ type: "outbox_changed", records });
  }

  function write(): void {
    if (!isKept) return;
    const { text, lost } = draft.get();
    const unfinished = unfinishedNames(store.getState().uploads);
    const content = { text, lost: [...lost, ...unfinished], messages: records };
    tab.write(unsentName, JSON.stringify(content));
  }

  return {
    draft,
    choice,
    outgoing: {
      send({ text }: Pick<Draft, "text">) {
        const { createKey } = store.conversation();
        const createdAt = Math.max(Date.now(), (records.at(-1)?.createdAt ?? 0) + 1);
        const place = { chatId: null, createKey, locale: locale() };
        records = [...records, { ...newRecord([], createdAt), ...place, text, files: [] }];
        showRecords();
      },
    },
    /** Shows a chat, or a new one for null, which is to be opened with the answer. */
    show(chatId: string | null) {
      store.show({ chatId, createKey: newKey() });
      showRecords();
    },
    keep() {
      isKept = true;
      write();
    },
    take(): Unsent {
      stop();
      const files = choice.takeFiles();
      tab.write(unsentName, null);
      return { draft: draft.get(), records, files };
    },
  };
}

function recordsIn(stored: string | null): readonly OutboxRecord[] {
  const value = parseJson(stored);
  const messages = isRecord(value) && Array.isArray(value["messages"]) ? value["messages"] : [];
  return messages.map(parseRecord).filter((record) => record !== null);
}
