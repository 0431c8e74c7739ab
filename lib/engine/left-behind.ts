/**
 * Messages that a guest had sent and that were still waiting when a customer signed in. The two may be
 * different people, and the guest's chat is out of reach: so nothing goes out by itself, and nothing is gone
 * without a word. The customer finds the texts in the message field, with the names of the files, and so the
 * answers in a form's request that has got no response.
 */
import { joinDrafts } from "./chats/draft.ts";
import type { Remembered } from "./chats/remembered.ts";
import { parseForms } from "./forms/stored-forms.ts";
import { guestOwner } from "./identity/session.ts";
import { createOutboxStore } from "./outbox/outbox-store.ts";
import type { ChatStorage } from "./storage/storage.ts";
import { isRecord, parseJson, stringsOf } from "./storage/stored.ts";
import { draftName, formsName, uploadsName } from "./storage-names.ts";
import type { ShownDraft } from "./uploads/shown-draft.ts";

export interface LeftBehindDeps {
  /** The guest's entries. Empty afterwards. */
  left: ChatStorage;
  tab: ChatStorage;
  draft: ShownDraft;
  remembered: Remembered;
}

export function takeLeftBehind({ left, tab, draft, remembered }: LeftBehindDeps): void {
  const messages = createOutboxStore(left, () => undefined).all();
  // A customer may have taken over the guest's chat, with its form.
  const isLeft = (chatId: string) => remembered.chat(chatId) === null;
  const forms = tab
    .names(formsName(""))
    .filter((name) => isLeft(name.slice(formsName("").length)) && isGuests(tab.read(name)));
  const shown = draft.get();
  // Another tab may have taken them over, too. A short text may be a part of what the customer has typed.
  const isNew = (text: string) => text !== "" && !`\n${shown.text}\n`.includes(`\n${text}\n`);
  const texts = [...messages.map(({ text }) => text), ...forms.map((name) => answersOf(tab.read(name)))];
  const lost = [
    ...messages.flatMap(({ files }) => files.map(({ filename }) => filename)),
    ...left.names(draftName("")).flatMap((name) => namesIn(left.read(name), "lost")),
    ...namesIn(tab.read(uploadsName(guestOwner)), "names"),
  ];
  draft.set(joinDrafts(shown, { text: texts.filter(isNew).join("\n"), files: [], lost }));
  for (const name of [uploadsName(guestOwner), ...forms]) tab.write(name, null);
  for (const name of left.names("")) left.write(name, null);
}

function namesIn(stored: string | null, field: string): string[] {
  const value = parseJson(stored);
  return isRecord(value) ? stringsOf(value[field]) : [];
}

function isGuests(stored: string | null): boolean {
  const value = parseJson(stored);
  return isRecord(value) && value["owner"] === guestOwner;
}

/** The answers in a form's request that has got no response, one a line. */
function answersOf(stored: string | null): string {
  const request = parseJson(parseForms(stored).submission?.request ?? null);
  const values: unknown = Array.isArray(request) ? request[1] : null;
  return (Array.isArray(values) ? values : []).map((entry) => stringsOf(entry)[1] ?? "").join("\n");
}
