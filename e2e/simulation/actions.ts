/**
 * The presses of customers. A new action is a row of `actions`: it says in the past tense what was done, or
 * null if nothing like it was on the screen.
 */

import type { Collection } from "#lib/chat-api/collection.ts";
import { errorRules } from "#lib/chat-api/errors.ts";
import type { ConversationRef } from "#lib/engine/conversation-ref.ts";
import { keepsKey, type OutboxRecord } from "#lib/engine/outbox/outbox.ts";
import { type Attachment, attachmentsOf } from "#lib/engine/state/attachments.ts";
import { formEntries } from "#lib/engine/state/form.ts";
import { typedAnswersOf } from "#lib/engine/state/form-selectors.ts";
import { latestOfferMessageId } from "#lib/engine/state/selectors.ts";
import type { CustomerStage } from "./customer-stage.ts";
import type { SimulatedPage } from "./page.ts";
import type { Random } from "./random.ts";
import type { BrowserFacts, Pressed } from "./world.ts";

type Act = (stage: CustomerStage, page: SimulatedPage, random: Random) => string | null;

const words = [
  "",
  "",
  "",
  "",
  "form",
  "team",
  "email",
  "details",
  "choices",
  "question",
  "fail",
  "slow",
] as const;

const oneOf = <T>(all: readonly T[], random: Random): T | undefined => all[random.between(0, all.length - 1)];

function note(stage: CustomerStage, page: SimulatedPage, pressed: Pressed): void {
  stage.presses.push({ ...pressed, at: stage.scheduler.now(), page, person: page.person() });
}

const keysOf = (page: SimulatedPage) => page.state().conversation.pending.map(({ record }) => record.key);

/** Calls the engine's `send` and notes the press if the engine has accepted it. */
function send(stage: CustomerStage, page: SimulatedPage, text: string | undefined): boolean {
  const { draft, conversation } = page.state();
  const known = new Set(keysOf(page));
  const isSent = page.chat.send(text);
  // Without consent a reply that was picked takes the place of the last one in the draft.
  if (!isSent && text !== undefined) note(stage, page, { kind: "remove" });
  if (!isSent) return false;
  const key = keysOf(page).find((one) => !known.has(one)) ?? null;
  noteSend(stage, page, text ?? draft.text, text === undefined ? draft.files : [], key, conversation);
  return true;
}

function noteSend(
  stage: CustomerStage,
  page: SimulatedPage,
  text: string,
  files: readonly { filename: string }[],
  key: string | null,
  { chatId, createKey }: ConversationRef = page.state().conversation,
): void {
  const fileNames = files.map(({ filename }) => filename);
  note(stage, page, { kind: "send", text, fileNames, key, chatId, createKey, isTakenBack: false });
}

/**
 * A message that may be stored already, and that the customer, who has been told so, sends once more. Without
 * a storage another tab does not see that it was refused, and sends it.
 */
function isSentAnew({ refusal }: OutboxRecord, { hasLostStorage }: BrowserFacts): boolean {
  if (refusal === null) return false;
  const isStored = refusal.isListed === true || errorRules[refusal.code].outcome === "ended";
  return (isStored || hasLostStorage) && !keepsKey(refusal);
}

function type(stage: CustomerStage, page: SimulatedPage, text: string): void {
  // A message that has come back into the draft is typed over.
  const lines = page.state().draft.text.split("\n");
  for (const press of stage.presses)
    if (press.kind === "send" && lines.includes(press.text)) press.isTakenBack = true;
  page.chat.setText(text);
  note(stage, page, { kind: "type", text });
}

/** A message that was sent again may have another key than at its press: then its text tells. */
function takenBack({ presses }: CustomerStage, page: SimulatedPage, keys: readonly string[]): void {
  const records = page.state().conversation.pending.map(({ record }) => record);
  const texts = records.filter(({ key }) => keys.includes(key)).map(({ text }) => text);
  for (const press of presses)
    if (press.kind === "send" && press.page.browser === page.browser && texts.includes(press.text))
      press.isTakenBack = true;
}

const refusedKeys = (page: SimulatedPage) =>
  page
    .state()
    .conversation.pending.filter(({ delivery }) => delivery.state === "refused")
    .map(({ record }) => record.key);

function nameOf(attachment: Attachment): string {
  if (attachment.kind === "lost") return attachment.name;
  return attachment.kind === "file" ? attachment.file.filename : attachment.upload.file.name;
}

const sentence = (isSent: boolean, what: string) => `${what}${isSent ? "" : ", which does not send"}`;

const contents = ["a note", "another note", ""] as const;

function noteAnswers(stage: CustomerStage, page: SimulatedPage, kind: "submit" | "skip" | "cancel"): void {
  const state = page.state();
  const { chatId, collection } = state.conversation;
  const requestId = collection?.request?.id ?? "";
  const answers = new Map(typedAnswersOf(state));
  const forTeam = collection?.pendingAction === "handoff" ? chatId : null;
  note(stage, page, { kind, requestId, answers, forTeam });
}

function submitted(
  stage: CustomerStage,
  page: SimulatedPage,
  act: "submit" | "skip" | "cancel",
): string | null {
  const state = page.state();
  const { request } = state.conversation.collection ?? {};
  if (!request || (act === "skip" && !request.canSkip) || (act === "cancel" && !request.canCancel))
    return null;
  noteAnswers(stage, page, act);
  if (act === "skip") page.chat.skipForm();
  else if (act === "cancel") page.chat.cancelForm();
  else if (page.chat.submitForm().size > 0) return "presses Send of the form, whose answers are incomplete";
  return act === "submit" ? "presses Send of the form" : `presses ${act} of the form`;
}

function answered(
  stage: CustomerStage,
  page: SimulatedPage,
  random: Random,
  { id, type: kind, choices }: Collection["fields"][number],
  emails: readonly [string, ...string[]],
): string {
  const text =
    kind === "choice"
      ? (oneOf(choices, random)?.id ?? "")
      : kind === "email"
        ? random.pick(emails)
        : stage.newText("answer");
  page.chat.answerForm(id, text);
  return `answers ${id} with "${text}"`;
}

export type Action = { weight: number; act: Act };

export const actions = {
  "type and send": {
    weight: 20,
    act(stage, page, random) {
      const text = stage.newText(random.pick(words));
      type(stage, page, text);
      return sentence(send(stage, page, undefined), `sends "${text}"`);
    },
  },
  "send the same text twice": {
    weight: 4,
    act(stage, page, random) {
      const text = stage.newText(random.pick(["", "", "form", "fail", "slow"]));
      const isSent = [send(stage, page, text), send(stage, page, text)];
      return `sends "${text}" twice${isSent.every(Boolean) ? "" : ", which does not send"}`;
    },
  },
  "send an earlier text again": {
    weight: 4,
    act(stage, page, random) {
      const { messages, pending } = page.state().conversation;
      const own = messages.filter(({ role }) => role === "visitor");
      const text = oneOf([...own, ...pending.map(({ record }) => record)], random)?.text ?? "";
      return text === "" ? null : sentence(send(stage, page, text), `sends "${text}" again`);
    },
  },
  "send a message with a slow answer": {
    // Only in the profiles that name it.
    weight: 0,
    act(stage, page) {
      const text = stage.newText("slow");
      return sentence(send(stage, page, text), `sends "${text}"`);
    },
  },
  "ask for a form or the team": {
    // Only in the profiles that name it.
    weight: 0,
    act(stage, page, random) {
      const text = stage.newText(random.pick(["form", "team", "email", "details"]));
      return sentence(send(stage, page, text), `sends "${text}"`);
    },
  },
  "send two messages in one tick": {
    weight: 4,
    act(stage, page) {
      const texts = [stage.newText(""), stage.newText("")];
      for (const text of texts) send(stage, page, text);
      return `sends ${texts.map((text) => `"${text}"`).join(" and ")}`;
    },
  },
  type: {
    weight: 5,
    act(stage, page) {
      const text = stage.newText("typed");
      type(stage, page, text);
      return `types "${text}"`;
    },
  },
  "send the draft": {
    weight: 4,
    act(stage, page) {
      const { draft } = page.state();
      if (draft.text === "" && draft.files.length === 0) return null;
      return sentence(send(stage, page, undefined), `sends the draft "${draft.text}"`);
    },
  },
  "propose a text": {
    weight: 1,
    act(stage, page) {
      const text = stage.newText("proposed");
      // It takes the place of the page's last text.
      note(stage, page, { kind: "remove" });
      page.chat.addText(text);
      return `takes the page's text "${text}"`;
    },
  },
  "pick a reply": {
    weight: 2,
    act(stage, page, random) {
      const { messages } = page.state().conversation;
      const choice = oneOf(messages.at(-1)?.choices ?? [], random);
      if (choice === undefined) return null;
      return sentence(send(stage, page, choice), `picks "${choice}"`);
    },
  },
  stop: {
    weight: 3,
    act(_stage, page) {
      if (page.state().conversation.reply === null) return null;
      page.chat.stop();
      return "stops the reply";
    },
  },
  retry: {
    weight: 8,
    act(stage, page) {
      const keys = refusedKeys(page);
      if (keys.length === 0) return null;
      for (const { record } of page.state().conversation.pending)
        if (isSentAnew(record, page.browser)) noteSend(stage, page, record.text, record.files, null);
      note(stage, page, { kind: "repeat" });
      page.chat.retry(keys);
      return `retries ${keys.length} messages`;
    },
  },
  "try now": {
    weight: 2,
    act(stage, page) {
      const isWaiting = page
        .state()
        .conversation.pending.some(({ delivery }) => delivery.state === "waiting");
      if (!isWaiting) return null;
      note(stage, page, { kind: "repeat" });
      page.chat.tryNow();
      return "tries now";
    },
  },
  edit: {
    weight: 3,
    act(stage, page, random) {
      const keys = refusedKeys(page);
      if (keys.length === 0) return null;
      takenBack(stage, page, keys);
      page.chat.edit(keys, { withoutFiles: random.chance(0.3) });
      return `edits ${keys.length} messages`;
    },
  },
  withdraw: {
    weight: 2,
    act(stage, page, random) {
      const key = oneOf(refusedKeys(page), random);
      if (key === undefined) return null;
      takenBack(stage, page, [key]);
      note(stage, page, { kind: "remove" });
      page.chat.withdraw(key);
      return "withdraws a message";
    },
  },
  attach: {
    weight: 6,
    act(stage, page, random) {
      const files = Array.from({ length: random.between(1, 2) }, () => {
        const name = `${stage.newText("").slice(1)}.txt`;
        return new File([random.pick(contents)], name, { type: "text/plain" });
      });
      for (const { name } of files) note(stage, page, { kind: "attach", fileName: name });
      page.chat.attach(files);
      return `attaches ${files.map(({ name }) => name).join(" and ")}`;
    },
  },
  detach: {
    weight: 4,
    act(stage, page, random) {
      const attachment = oneOf(attachmentsOf(page.state()), random);
      if (attachment === undefined) return null;
      note(stage, page, { kind: "remove", fileName: nameOf(attachment) });
      page.chat.detach(attachment);
      return `detaches a ${attachment.kind}`;
    },
  },
  "retry an upload": {
    weight: 3,
    act(stage, page, random) {
      const upload = oneOf(
        page.state().uploads.filter(({ state }) => state.state === "failed"),
        random,
      );
      if (upload === undefined) return null;
      note(stage, page, { kind: "repeat" });
      page.chat.retryUpload(upload.key);
      return "retries an upload";
    },
  },
  answer: {
    weight: 12,
    act(stage, page, random) {
      const { collection } = page.state().conversation;
      const entry = collection === null ? undefined : oneOf(formEntries(collection), random);
      return entry === undefined
        ? null
        : answered(stage, page, random, entry.field, ["a@shop.example", "not an address"]);
    },
  },
  "fill in and submit a form": {
    // Only in the profiles that name it.
    weight: 0,
    act(stage, page, random) {
      const { collection } = page.state().conversation;
      if (!collection?.request) return null;
      for (const { field } of formEntries(collection))
        answered(stage, page, random, field, ["a@shop.example"]);
      return submitted(stage, page, "submit");
    },
  },
  "submit a form": { weight: 10, act: (stage, page) => submitted(stage, page, "submit") },
  "skip a form": { weight: 2, act: (stage, page) => submitted(stage, page, "skip") },
  "cancel a form": { weight: 2, act: (stage, page) => submitted(stage, page, "cancel") },
  "retry a form": {
    weight: 3,
    act(stage, page) {
      const hasFailed = [...page.state().forms.forms.values()].some(
        ({ progress }) => progress.state === "failed",
      );
      if (!hasFailed) return null;
      noteAnswers(stage, page, "submit");
      page.chat.retryForm();
      return "retries the form";
    },
  },
  "read the form again": {
    weight: 1,
    act(_stage, page) {
      if (page.state().conversation.collection === null) return null;
      page.chat.readForm();
      return "reads the form again";
    },
  },
  "accept an offer": {
    weight: 20,
    act(stage, page, random) {
      const { conversation } = page.state();
      const id = latestOfferMessageId(conversation);
      const offer = conversation.messages.find((message) => message.id === id)?.handoffOffer;
      if (!offer) return null;
      const email = random.chance(0.7) ? "customer@shop.example" : null;
      if (email !== null) page.chat.setOfferEmail(email);
      note(stage, page, { kind: "accept", confirmationId: offer.confirmationId, email });
      return page.chat.acceptOffer(offer) ? "accepts the offer" : "accepts the offer without an address";
    },
  },
  "dismiss a failed handoff": {
    weight: 1,
    act(_stage, page) {
      if (page.state().forms.offer.attempt?.state !== "failed") return null;
      page.chat.dismissOfferFailure();
      return "dismisses the failed handoff";
    },
  },
  "open a chat": {
    weight: 4,
    act(_stage, page, random) {
      const chat = oneOf(page.chat.chats(), random);
      if (chat === undefined) return null;
      page.chat.openChat(chat.chatId);
      return `opens ${chat.chatId}`;
    },
  },
  "open a new chat": {
    weight: 3,
    act(stage, page) {
      note(stage, page, { kind: "new chat" });
      page.chat.newChat();
      return "opens a new chat";
    },
  },
  "start over": {
    weight: 3,
    act(stage, page) {
      if (page.state().conversation.chat?.mode !== "resolved") return null;
      takenBack(stage, page, refusedKeys(page));
      note(stage, page, { kind: "new chat" });
      page.chat.startOver();
      return "starts over";
    },
  },
  "forget a chat": {
    weight: 1,
    act(stage, page, random) {
      const chat = oneOf(page.chat.chats(), random);
      if (chat === undefined || chat.chatId === page.state().conversation.chatId) return null;
      // Its refused messages go with it.
      for (const press of stage.presses)
        if (press.kind === "send" && press.page.browser === page.browser) press.isTakenBack = true;
      note(stage, page, { kind: "remove" });
      page.chat.forgetChat(chat.chatId);
      return `forgets ${chat.chatId}`;
    },
  },
  "read the list's summaries": {
    weight: 1,
    act(_stage, page, random) {
      const chat = oneOf(page.chat.chats(), random);
      if (chat === undefined) return null;
      page.chat
        .readSummary(chat, new AbortController().signal)
        .catch((error) => page.threw("readSummary", error));
      return `looks at the list`;
    },
  },
  print: {
    weight: 1,
    act(_stage, page) {
      page.chat.transcript().catch((error) => page.threw("transcript", error));
      return "prints the chat";
    },
  },
  "load older messages": {
    weight: 3,
    act(_stage, page) {
      if (!page.state().conversation.history.hasOlder) return null;
      page.chat.loadOlder().catch((error) => page.threw("loadOlder", error));
      return "loads older messages";
    },
  },
  "read the chat again": {
    weight: 2,
    act(_stage, page) {
      if (page.state().conversation.history.failure === null) return null;
      page.chat.reload();
      return "reads the chat again";
    },
  },
  "see the last message": {
    weight: 4,
    act(stage, page) {
      const last = page.state().conversation.messages.at(-1);
      if (last === undefined) return null;
      const messageIds = page.state().conversation.messages.map(({ id }) => id);
      note(stage, page, { kind: "see", messageIds });
      page.chat.markSeen(last.id);
      page.chat.markLookedAt();
      return "sees the last message";
    },
  },
  rate: {
    weight: 3,
    act(stage, page, random) {
      const { feedback, conversation } = page.state();
      const answer = conversation.messages.findLast(({ role }) => role === "agent");
      if (feedback === null || answer === undefined) return null;
      const [kind, messageId, value] = [
        random.pick(["up", "down"] as const),
        answer.id,
        random.between(0, 1),
      ];
      note(stage, page, { kind: "rate", chatId: conversation.chatId, messageId, rated: kind, value });
      page.chat.rate({ kind, messageId, value });
      return "rates an answer";
    },
  },
  agree: {
    weight: 12,
    act(stage, page) {
      if (page.state().hasConsent) return null;
      page.chat.agree();
      return sentence(send(stage, page, undefined), "agrees");
    },
  },
  "change the language": {
    weight: 2,
    act(_stage, page, random) {
      const locale = random.pick(["en", "de", "fr-CH", "de_DE"]);
      page.chat.setLocale(locale);
      return `changes the language to ${locale}`;
    },
  },
  "change preferences": {
    weight: 1,
    act(_stage, page) {
      page.chat.setPreferences(page.chat.preferences());
      return "stores the preferences";
    },
  },
  "come back to the host": {
    weight: 1,
    act(_stage, page) {
      page.chat.start();
      return "opens the panel again";
    },
  },
} satisfies Record<string, Action>;
