/** The draft of the conversation on screen, with the names of its files that are not attached yet. */

import type { DraftStore } from "../chat-runtime.ts";
import { type ConversationRef, isSameConversation } from "../conversation-ref.ts";
import type { ConversationStore } from "../state/conversation-store.ts";
import { tabStorage } from "../storage/storage.ts";
import { isRecord, parseJson, stringsOf } from "../storage/stored.ts";
import { parseConversationRef } from "./chat-list.ts";
import { type Draft, emptyDraft, withLost, withoutNames } from "./draft.ts";
import { draftName, type Remembered } from "./remembered.ts";

export interface ShownDraft extends DraftStore {
  /** Loads this conversation's draft. Call it before the store shows the conversation. */
  show(conversation: ConversationRef): void;
  /** Follows a change of this storage entry by another tab. */
  onStored(name: string): void;
  close(): void;
}

export interface ShownDraftDeps {
  owner: string;
  store: ConversationStore;
  remembered: Remembered;
}

export function createShownDraft({ owner, store, remembered }: ShownDraftDeps): ShownDraft {
  /** Name of the entry for `held` in the tab's storage, which tells the next page which uploads ended. */
  const uploadsName = `uploads:${owner}`;
  let draft = emptyDraft;
  /** Names of chosen files that are not attached yet, always of the conversation on screen. */
  let held: readonly string[] = [];
  let isClosed = false;
  loseEarlierUploads();

  function set(changed: Draft, uploaded?: string): void {
    draft = changed;
    // The customer may leave this conversation before the attachment bar's next effect.
    if (uploaded !== undefined) holdUploads(withoutNames(held, [uploaded]), store.getState().createKey);
    remembered.setDraft(store.getState(), draft);
    store.notify();
  }

  function holdUploads(names: readonly string[], createKey: string): void {
    const { chatId, createKey: shown } = store.getState();
    // React may run effects of the attachment bar after its conversation was left.
    if (isClosed || createKey !== shown) return;
    held = names;
    const entry = names.length === 0 ? null : JSON.stringify({ chatId, createKey, names });
    // Called on each progress event of an upload.
    if (entry !== tabStorage.read(uploadsName)) tabStorage.write(uploadsName, entry);
  }

  function loseUploads(): void {
    if (held.length === 0) return;
    const lost = held;
    holdUploads([], store.getState().createKey);
    set(withLost(draft, lost));
  }

  /**
   * Marks the previous page's uploads as lost. Their conversation may have a chat by now, and need not be the
   * one that this page opens.
   */
  function loseEarlierUploads(): void {
    const stored = tabStorage.read(uploadsName);
    const [value, uploading] = [parseJson(stored), parseConversationRef(stored)];
    if (uploading === null || !isRecord(value)) return;
    tabStorage.write(uploadsName, null);
    const current = remembered.current();
    const left = current !== null && isSameConversation(current, uploading) ? current : uploading;
    remembered.setDraft(left, withLost(remembered.draft(left), stringsOf(value["names"])));
  }

  return {
    get: () => draft,
    set,
    holdUploads,
    loseUploads,
    show(conversation) {
      // If the same conversation is only read again, its uploads continue.
      if (!isSameConversation(conversation, store.getState())) loseUploads();
      draft = remembered.draft(conversation);
    },
    onStored(name) {
      if (name !== draftName(store.getState())) return;
      const known = draft.lost;
      draft = remembered.draft(store.getState());
      // A duplicate of this tab marks its copied uploads as lost, but they continue here.
      const lost = withoutNames(draft.lost, withoutNames(held, known));
      if (lost.length < draft.lost.length) set({ ...draft, lost });
      else store.notify();
    },
    close() {
      loseUploads();
      isClosed = true;
    },
  };
}
