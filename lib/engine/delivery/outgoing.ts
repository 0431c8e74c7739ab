/** The customer's messages of the conversation on screen, from Send until their outcome is known. */
import type { Message } from "../../chat-api/message.ts";
import { type Draft, emptyDraft } from "../chats/draft.ts";
import type { ConversationReader } from "../history/conversation-reader.ts";
import { newKey } from "../new-key.ts";
import { lateNewsOf } from "../outbox/matching.ts";
import { keepsKey, type OutboxRecord } from "../outbox/outbox.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { closedBy, matchesOf, refusalByEnd } from "../state/selectors.ts";
import { keepRefused } from "./deliver-message.ts";

export interface OutgoingDeps
  extends Pick<OwnerParts, "store" | "outbox" | "failureOf" | "locale" | "publish"> {
  reading: ConversationReader;
  /** Starts delivering what is in the outbox. */
  sendDue(): void;
}

export function createOutgoing(deps: OutgoingDeps) {
  const { store, outbox, reading, locale, sendDue } = deps;
  let latest = 0;

  /** The time, later on each call: messages are sent in the order of their times. */
  function now(): number {
    latest = Math.max(Date.now(), latest + 1);
    return latest;
  }

  const asNew = () => newRecord(store.conversation().messages, now());

  /** Removes the record. The listed message that it has become is no equal record's. */
  function remove(record: OutboxRecord): void {
    const match = matchesOf(store.conversation()).get(record.key);
    if (match?.isCertain) outbox.settle(record, match.message);
    else outbox.remove(record.key);
  }

  function tryAgain(record: OutboxRecord): void {
    if (record.refusal === null) return;
    if (keepsKey(record.refusal)) outbox.update(record.key, { refusal: null, createdAt: now() });
    else {
      remove(record);
      outbox.put({ ...record, ...asNew() });
    }
    sendDue();
  }

  /**
   * Sends the message again unless the list, read again, has its answer. A failed read does not prevent
   * sending.
   */
  async function askAgain(key: string): Promise<void> {
    await reading.readNews(store.conversation()).catch(deps.failureOf);
    const record = outbox.find(key);
    if (record !== null) tryAgain(record);
  }

  /** The listed messages in which refused messages were last looked up. */
  let compared = store.conversation().messages;
  function onState(): void {
    const state = store.conversation();
    const { messages } = state;
    const hasNews = messages !== compared;
    compared = messages;
    const matches = matchesOf(state);
    for (const message of state.pending) {
      const { record } = message;
      const match = matches.get(record.key);
      const refusal = refusalByEnd(message, match, closedBy(state));
      if (refusal !== null && outbox.find(record.key)?.refusal === null) keepRefused(deps, record, refusal);
      const news = hasNews ? lateNewsOf(record, match, messages) : "none";
      if (news === "settled" && match !== undefined) outbox.settle(record, match.message);
      if (news === "take_up") tryAgain(record);
    }
  }

  return {
    /** Compares the messages in the outbox with the listed ones. */
    onState,
    send({ text, files }: Pick<Draft, "text" | "files">) {
      const { chatId, createKey } = store.conversation();
      outbox.put({ ...asNew(), createKey, chatId, locale: locale(), text, files });
      sendDue();
    },
    /** Sends a refused message again, under a new key if the old one cannot be reused. */
    retry(key: string) {
      const record = outbox.find(key);
      if (record?.refusal?.isListed === true) void askAgain(key);
      else if (record !== null) tryAgain(record);
    },
    /** Removes a refused message and returns its content. */
    takeBack(key: string): Draft {
      const record = outbox.find(key);
      if (record === null) return emptyDraft;
      remove(record);
      return { ...emptyDraft, text: record.text, files: record.files };
    },
  };
}

/** The fields of a message that is sent for the first time, after these messages. */
export const newRecord = (messages: readonly Message[], createdAt: number) => ({
  key: newKey(),
  afterMessageId: messages.at(-1)?.id ?? null,
  takenIds: [],
  createdAt,
  attempted: false,
  pause: null,
  refusal: null,
});
