/** Holds messages and files back until the customer agrees to a text of the host. Loaded if there is one. */
import { type ConversationRef, isSameConversation } from "./conversation-ref.ts";
import { awaitsFiles } from "./state/chosen-files.ts";
import { isSendable } from "./state/selectors.ts";
import type { Upload } from "./state/state.ts";
import type { ChatStore } from "./state/store.ts";
import type { Storages } from "./storage/storage.ts";

/** The stored version of the text that the customer has agreed to. */
const name = "consent";

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
  /** The text when they agreed: later changes are not sent without a press. */
  text: string | null;
}

const isHeld = ({ state }: Upload) => state.state === "held";

export function createConsent(
  { storages, store }: ConsentDeps,
  sendDraft: () => void,
  startUploads: () => void,
) {
  /** For all customers of this browser. */
  const storage = storages.of("browser");
  let version: string | null = null;
  let held: Held | null = null;

  /** Lets out what waits if nothing is asked, or any tab has stored this version. */
  function check(): void {
    const { consent, draft } = store.getState();
    if (consent.state === "given" || (version !== null && storage.read(name) !== version)) return;
    held = held?.isSent === true ? { ...held, text: draft.text } : null;
    store.set({ consent: { state: "given" } });
    start();
    follow();
  }

  function start(): void {
    const { uploads } = store.getState();
    if (!uploads.some(isHeld)) return;
    store.set({
      uploads: uploads.map((one) => (isHeld(one) ? { ...one, state: { state: "uploading" } } : one)),
    });
    startUploads();
  }

  function stopAsking(): void {
    held = null;
    if (store.getState().consent.state === "asked") store.set({ consent: { state: "needed" } });
  }

  /** Nothing of one customer or conversation goes to another. */
  function follow(): void {
    if (held === null) return;
    const { owner, conversation, draft, uploads, consent } = store.getState();
    // Before the answer there is no customer: what they write moves to the one whom the server names.
    const isSame = held.owner === owner && isSameConversation(held.conversation, conversation);
    if (held.owner !== null && !isSame) {
      stopAsking();
      return;
    }
    held = { ...held, owner, conversation };
    if (consent.state !== "given" || awaitsFiles({ draft, uploads })) return;
    const isUnchanged = held.text === draft.text;
    held = null;
    if (isUnchanged) sendDraft();
  }

  storage.onChange(check);
  // Not at once: one action changes the state several times.
  store.subscribe(() => held !== null && queueMicrotask(follow));

  return {
    /** Null: nothing is asked. */
    setVersion(next: string | null) {
      version = next;
      check();
    },
    /** Asks the customer. What waits goes out when they agree; files alone only become part of the draft. */
    ask({ isSent }: { isSent: boolean }) {
      const { owner, conversation, draft, uploads, consent } = store.getState();
      const files = [...draft.files, ...uploads];
      if (isSent && !isSendable({ text: draft.text, files }, conversation)) return;
      held = { owner, conversation, isSent: isSent || held?.isSent === true, text: null };
      const times = consent.state === "asked" ? consent.times + 1 : 1;
      store.set({ consent: { state: "asked", times } });
      check();
    },
    agree() {
      if (version !== null) storage.write(name, version);
      check();
    },
    refuse: stopAsking,
  };
}
