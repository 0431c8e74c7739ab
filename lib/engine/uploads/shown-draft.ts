/** The draft of the conversation on screen, stored on each change. */
import { type Draft, emptyDraft, withLost, withoutNames } from "../chats/draft.ts";
import { draftOf, parseConversationRef } from "../chats/remembered.ts";
import { type ConversationRef, isSameConversation } from "../conversation-ref.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { unfinishedNames } from "../state/attachments.ts";
import { isRecord, parseJson, stringsOf } from "../storage/stored.ts";
import { uploadsName } from "../storage-names.ts";

export type ShownDraft = ReturnType<typeof createShownDraft>;

export type ShownDraftDeps = Pick<OwnerParts, "owner" | "store" | "remembered" | "tab">;

export function createShownDraft({ owner, store, remembered, tab }: ShownDraftDeps) {
  noteEarlierUploads();

  function set(draft: Draft): void {
    remembered.setDraft(store.conversation(), draft);
    store.set({ draft });
  }

  /**
   * Marks the previous page's uploads as lost. Their conversation may have a chat by now, and need not be the
   * one that this page opens.
   */
  function noteEarlierUploads(): void {
    const stored = tab.read(uploadsName(owner));
    const [value, uploading] = [parseJson(stored), parseConversationRef(stored)];
    if (uploading === null || !isRecord(value)) return;
    tab.write(uploadsName(owner), null);
    const current = remembered.current();
    const conversation = current !== null && isSameConversation(current, uploading) ? current : uploading;
    remembered.setDraft(conversation, withLost(remembered.draft(conversation), stringsOf(value["names"])));
  }

  const show = (conversation: ConversationRef) => store.set({ draft: remembered.draft(conversation) });

  return {
    get: (): Draft => store.getState().draft,
    set,
    /** The draft has been sent. Another tab may have stored another text meanwhile. */
    clear() {
      const conversation = store.conversation();
      if (remembered.draft(conversation).text === store.getState().draft.text) set(emptyDraft);
      else show(conversation);
    },
    /** Loads this conversation's draft. */
    show,
    /** Follows a change of this storage entry by another tab. */
    onStored(name: string) {
      if (name !== draftOf(store.conversation())) return;
      const lostBefore = store.getState().draft.lost;
      const draft = remembered.draft(store.conversation());
      // A duplicate of this tab marks its copied uploads as lost, but they continue here.
      const held = unfinishedNames(store.getState().uploads);
      const lost = withoutNames(draft.lost, withoutNames(held, lostBefore));
      if (lost.length < draft.lost.length) set({ ...draft, lost });
      else store.set({ draft });
    },
  };
}
