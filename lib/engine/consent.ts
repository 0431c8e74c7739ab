/** Holds messages and files back until the customer agrees to a text of the host. */
import { type ConversationRef, isSameConversation } from "./conversation-ref.ts";
import { consentName, isAgreed } from "./preferences.ts";
import { awaitsFiles, filesOf } from "./state/chosen-files.ts";
import { isSendable } from "./state/selectors.ts";
import type { ChatState, Upload } from "./state/state.ts";
import type { ChatStore } from "./state/store.ts";
import type { Storages } from "./storage/storage.ts";

export interface ConsentDeps {
  storages: Pick<Storages, "of">;
  store: ChatStore;
}

/** What waits, first for the customer's answer, then for its files. */
interface Held {
  owner: string | null;
  conversation: ConversationRef;
  /** False if the customer has only chosen files. */
  isSent: boolean;
  /** What they agreed to send: nothing else goes out without a press. Null before. */
  content: string | null;
}

const isHeld = ({ state }: Upload) => state.state === "held";

const contentOf = (state: Pick<ChatState, "draft" | "uploads">) =>
  `${filesOf(state).length} ${state.draft.text}`;

export function createConsent(
  { storages, store }: ConsentDeps,
  sendDraft: () => void,
  startUploads: () => void,
) {
  const storage = storages.of("browser");
  let version: string | null = null;
  let held: Held | null = null;

  /** Nothing is asked any longer. Files upload; only `agree` sends a message. */
  function allow(): void {
    const { consent, uploads } = store.getState();
    if (consent.state === "given") return;
    const allowed = uploads.map(
      (one): Upload => (isHeld(one) ? { ...one, state: { state: "uploading" } } : one),
    );
    store.set({ consent: { state: "given" }, uploads: allowed });
    if (uploads.some(isHeld)) startUploads();
  }

  function stopAsking(): void {
    held = null;
    if (store.getState().consent.state === "asked") store.set({ consent: { state: "needed" } });
  }

  /** Nothing of one customer or conversation goes to another. */
  function follow(): void {
    if (held === null) return;
    const state = store.getState();
    const { owner, conversation } = state;
    // Before the answer there is no customer: what they write moves to the one whom the server names.
    const isSame = held.owner === owner && isSameConversation(held.conversation, conversation);
    if (held.owner !== null && !isSame) {
      stopAsking();
      return;
    }
    held = { ...held, owner, conversation };
    if (state.consent.state !== "given") return;
    if (held.content !== contentOf(state)) held = null;
    else if (!awaitsFiles(state)) {
      held = null;
      sendDraft();
    }
  }

  // Another tab's agreement, which sends what that tab holds: this one may show the same draft.
  const stop = storage.onChange(() => {
    if (!isAgreed(storages, version)) return;
    held = null;
    allow();
  });
  // Not at once: one action changes the state several times. The store ends it when it closes.
  store.subscribe(() => held && queueMicrotask(follow));

  return {
    /** Null: nothing is asked. */
    setVersion(next: string | null) {
      // A page that renders again says the same: what is asked stays asked.
      if (next === version) return;
      version = next;
      held = null;
      if (isAgreed(storages, next)) allow();
      else store.set({ consent: { state: "needed" } });
    },
    /**
     * Asks the customer. What waits goes out when they agree. If it is not sent (`isSent`), files only become
     * part of the draft.
     */
    ask(isSent: boolean) {
      const state = store.getState();
      const { owner, conversation, draft, consent } = state;
      if (isSent && !isSendable({ text: draft.text, files: filesOf(state) }, conversation)) return;
      held = { owner, conversation, isSent: isSent || !!held?.isSent, content: null };
      store.set({ consent: { state: "asked", times: consent.state === "asked" ? consent.times + 1 : 1 } });
    },
    agree() {
      if (version !== null) storage.write(consentName, version);
      held = held?.isSent ? { ...held, content: contentOf(store.getState()) } : null;
      allow();
      follow();
    },
    refuse: stopAsking,
    close() {
      held = null;
      stop();
    },
  };
}
