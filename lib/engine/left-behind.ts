/**
 * Messages that a guest had sent and that were still waiting when a customer signed in. The two may be
 * different people, and the guest's chat is out of reach: so nothing goes out by itself, and nothing is gone
 * without a word.
 */
import { withLost } from "./chats/draft.ts";
import { createRemembered } from "./chats/remembered.ts";
import { failure } from "./failure.ts";
import { parseForms } from "./forms/stored-forms.ts";
import { guestOwner } from "./identity/session.ts";
import { newKey } from "./new-key.ts";
import type { OutboxRecord } from "./outbox/outbox.ts";
import { createOutboxStore } from "./outbox/outbox-store.ts";
import type { OwnerParts } from "./owner-parts.ts";
import type { ChatStorage } from "./storage/storage.ts";
import { isRecord, parseJson, stringsOf } from "./storage/stored.ts";
import { draftName, formsName, uploadsName } from "./storage-names.ts";
import type { ShownDraft } from "./uploads/shown-draft.ts";

export interface LeftBehindDeps extends Pick<OwnerParts, "outbox" | "tab" | "locale"> {
  /** Returns what the guest has left, which is empty afterwards. */
  left: ChatStorage;
  draft: ShownDraft;
  /** The message as one of the conversation on screen. */
  inChat(record: OutboxRecord): OutboxRecord;
}

export function takeLeftBehind({ left, tab, outbox, draft, locale, inChat }: LeftBehindDeps): void {
  const remembered = createRemembered(left);
  const messages = createOutboxStore(left, () => undefined).all();
  const files = messages.flatMap((message) => message.files.map(({ filename }) => filename));
  const drafts = left.names(draftName("")).flatMap((name) => lostIn(left.read(name), "lost"));
  const uploading = lostIn(tab.read(uploadsName(guestOwner)), "names");
  const forms = remembered.chats().map(({ chatId }) => formsName(chatId));
  const texts = [
    // Under its own key another tab may be sending it already, as the customer's (`rename`). The new key is
    // the same in each tab, so that two tabs show the message once.
    ...messages.map(({ key, text }) => ({ key: `left-${key}`, text })),
    ...forms.map((name) => ({ key: newKey(), text: answersOf(tab.read(name)) })),
  ];
  for (const [index, { key, text }] of texts.filter((one) => one.text !== "").entries())
    outbox.put(
      inChat({
        key,
        createKey: key,
        chatId: null,
        locale: locale(),
        text,
        files: [],
        afterMessageId: null,
        takenIds: [],
        // In the guest's order.
        createdAt: Date.now() + index,
        attempted: false,
        pause: null,
        refusal: failure("signed_in"),
      }),
    );
  draft.set(withLost(draft.get(), [...files, ...drafts, ...uploading]));
  for (const name of [...forms, uploadsName(guestOwner)]) tab.write(name, null);
  for (const name of left.names("")) left.write(name, null);
}

/**
 * The key of a new conversation that begins with these messages; null if there are none. It is the same in
 * each tab: tabs that do not see each other's writes yet create one chat.
 */
export function createKeyFor(left: ChatStorage): string | null {
  const [first] = createOutboxStore(left, () => undefined).all();
  return first === undefined ? null : `left-${first.createKey}`;
}

function lostIn(stored: string | null, field: string): string[] {
  const value = parseJson(stored);
  return isRecord(value) ? stringsOf(value[field]) : [];
}

/** The answers in a form's request that has got no response, one a line. */
function answersOf(stored: string | null): string {
  const request = parseJson(parseForms(stored).submission?.request ?? null);
  const values: unknown = Array.isArray(request) ? request[1] : null;
  return (Array.isArray(values) ? values : []).map((entry) => stringsOf(entry)[1] ?? "").join("\n");
}
