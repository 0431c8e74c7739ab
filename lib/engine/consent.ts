/** Holds messages and files back until the customer agrees to a text of the host. */
import { type ConversationRef, conversationName, isSameConversation } from "./conversation-ref.ts";
import { isAgreed } from "./preferences.ts";
import { awaitsFiles, filesOf } from "./state/chosen-files.ts";
import { isSendable } from "./state/selectors.ts";
import type { ChatState, Upload } from "./state/state.ts";
import type { ChatStore } from "./state/store.ts";
import type { Storages } from "./storage/storage.ts";
import { browserOwner, consentName } from "./storage-names.ts";

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
  /** The message's idempotency key. */
  key: string;
}

const isHeld = ({ state }: Upload) => state.state === "held";

const contentOf = (state: Pick<ChatState, "draft" | "uploads">) =>
  `${filesOf(state).length} ${state.draft.text}`;

/**
 * The same for the same draft in all tabs, so that it is sent once when it is agreed to in several: what two
 * tabs hold may be one message.
 */
function keyOf({ conversation, draft }: ChatState): string {
  const all = [conversationName(conversation), conversation.messages.at(-1)?.id, draft.text, draft.files];
  const hash = (seed: number) =>
    Array.from(JSON.stringify(all)).reduce(
      (sum, char) => Math.imul(sum ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0,
      seed,
    );
  return `held-${hash(2_166_136_261)}-${hash(1)}`;
}

export function createConsent(
  { storages, store }: ConsentDeps,
  sendDraft: (key: string) => void,
  startUploads: () => void,
) {
  const storage = storages.of(browserOwner);
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
      const { key } = held;
      held = null;
      sendDraft(key);
    }
  }

  /** What this tab holds goes out. */
  function release(): void {
    const state = store.getState();
    held = held?.isSent ? { ...held, content: contentOf(state), key: keyOf(state) } : null;
    allow();
    follow();
  }

  // Another tab's agreement.
  const stop = storage.onChange(() => isAgreed(storages, version) && release());
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
      held = { owner, conversation, isSent: isSent || !!held?.isSent, content: null, key: "" };
      store.set({ consent: { state: "asked", times: consent.state === "asked" ? consent.times + 1 : 1 } });
    },
    agree() {
      if (version !== null) storage.write(consentName, version);
      release();
    },
    refuse: stopAsking,
    close() {
      held = null;
      stop();
    },
  };
}
