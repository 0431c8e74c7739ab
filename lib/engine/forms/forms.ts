/** The forms and the handoff offers of this tab's chats: what the customer enters, and the requests. */
import type { Collection } from "../../chat-api/collection.ts";
import { limits } from "../../chat-api/limits.ts";
import type { HandoffOffer } from "../../chat-api/message.ts";
import type { SubmitCollectionBody } from "../../chat-api/operations/submit-collection.ts";
import { emailPattern } from "../../chat-api/patterns.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import type { ConversationRef } from "../conversation-ref.ts";
import { type RepeatDeps, repeatWrite } from "../delivery/repeat-write.ts";
import { askedUntil, type Failure } from "../failure.ts";
import { newKey } from "../new-key.ts";
import { keepsKey } from "../outbox/outbox.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { pausedUntil } from "../remedies.ts";
import {
  type AnswerProblems,
  answerProblems,
  endBody,
  formEntries,
  isSameForm,
  newestChange,
  notAccepted,
  saveBody,
} from "../state/form.ts";
import { typedAnswersOf } from "../state/form-selectors.ts";
import {
  type ChatForms,
  type CollectionAction,
  type FormProgress,
  type FormState,
  formStateOf,
  type HandoffRequest,
  type KeptAttempt,
  type OfferAttempt,
} from "../state/forms-state.ts";
import { hasForm, isOver } from "../state/selectors.ts";
import type { ConversationState } from "../state/state.ts";
import { formsName } from "../storage-names.ts";
import { encodeForms, parseForms } from "./stored-forms.ts";

export interface FormsDeps
  extends RepeatDeps,
    Pick<OwnerParts, "owner" | "store" | "tab" | "locale" | "publish" | "showEnd"> {
  client: Pick<ChatClient, "getCollection" | "submitCollection" | "handoff">;
  /** Polls now and a few more times: news may follow. */
  syncSoon(conversation: ConversationRef): Promise<void>;
}

/** How often a form whose version alone has changed is submitted again. */
const maxResends = 3;

/** An equal request with an unknown outcome is repeated under its key, even after a reload of the tab. */
const attemptAt = (kept: KeptAttempt | null, request: string): KeptAttempt =>
  kept?.request === request ? kept : { key: newKey(), request };

export function createForms({ client, store, tab, publish, syncSoon, showEnd, ...deps }: FormsDeps) {
  /** Requests by chat. They continue when their chat leaves the screen. */
  const byChat = new Map<string | null, ChatForms>();
  /** The chat and its version for which the collection was last read. */
  let readFor: string | null = null;

  function of(chatId: string | null): ChatForms {
    const forms = byChat.get(chatId) ?? parseForms(chatId === null ? null : tab.read(formsName(chatId)));
    byChat.set(chatId, forms);
    return forms;
  }

  function change(chatId: string | null, changed: Partial<ChatForms>): void {
    const forms = { ...of(chatId), ...changed };
    byChat.set(chatId, forms);
    if (chatId !== null) tab.write(formsName(chatId), encodeForms(forms, deps.owner));
    if (store.conversation().chatId === chatId) store.set({ forms });
  }

  function changeForm(chatId: string | null, requestId: string, changed: Partial<FormState>): void {
    const { forms } = of(chatId);
    const form = { ...formStateOf(of(chatId), requestId), ...changed };
    change(chatId, { forms: new Map(forms).set(requestId, form) });
  }

  const changeOffer = (chatId: string | null, changed: Partial<ChatForms["offer"]>): void =>
    change(chatId, { offer: { ...of(chatId).offer, ...changed } });

  const setAttempt = (chatId: string, attempt: OfferAttempt | null) => changeOffer(chatId, { attempt });

  /** Reads the chat's collection, even if another conversation has come on screen meanwhile. */
  async function read({ chatId, createKey }: ConversationRef): Promise<Collection | null> {
    if (chatId === null) return null;
    const collection = await client.getCollection(chatId);
    publish({ chatId, createKey }, { type: "collection_read", collection });
    return collection;
  }

  function readShown(): void {
    const { chatId, createKey } = store.conversation();
    change(chatId, { reading: "reading" });
    read({ chatId, createKey }).then(
      () => change(chatId, { reading: "done" }),
      (error: unknown) => {
        deps.failureOf(error);
        change(chatId, { reading: "failed" });
      },
    );
  }

  async function submitOnce(
    conversation: ConversationState,
    body: SubmitCollectionBody,
    onWaiting: (failure: Failure | null) => void,
  ): Promise<Collection | { failure: Failure; current: Collection | null }> {
    const { chatId, collection: before } = conversation;
    if (chatId === null) throw new TypeError("a form belongs to a chat");
    const request = JSON.stringify([body, [...(body.values ?? [])]]);
    const submission = attemptAt(of(chatId).submission, request);
    change(chatId, { submission });
    try {
      const { item } = await repeatWrite(
        deps,
        () => client.submitCollection(chatId, body, { idempotencyKey: submission.key }),
        onWaiting,
      );
      change(chatId, { submission: null });
      const emailField = before?.fields.find(({ id, type }) => type === "email" && body.values?.has(id));
      const email = emailField === undefined ? "" : (body.values?.get(emailField.id) ?? "");
      if (email !== "") changeOffer(chatId, { email });
      const { collectionRequestId } = body;
      const ended = collectionRequestId && { formId: collectionRequestId, how: body.action };
      publish(conversation, { type: "collection_read", collection: item, ...(ended && { ended }) });
      if (collectionRequestId !== null && item.request?.id !== collectionRequestId)
        changeForm(chatId, collectionRequestId, { end: body.action });
      const isForTeam = (before ?? item).pendingAction === "handoff" && body.action !== "cancel";
      // The calls below are not awaited, because they do not change the outcome of this submission.
      const isAnswered = item.request === null || item.request.complete;
      if (isForTeam && isAnswered) void continueHandoff(conversation);
      else void syncSoon(conversation);
      return item;
    } catch (error) {
      const failure = deps.failureOf(error);
      showEnd(conversation, failure);
      if (!keepsKey(failure)) change(chatId, { submission: null });
      // If the read fails, the form stays as it was: the next submission reports what has changed.
      const current = await read(conversation).catch((unread: unknown) => {
        deps.failureOf(unread);
        return null;
      });
      return { failure, current };
    }
  }

  /** Submits again by itself if only the form's version has changed. */
  async function submit(
    conversation: ConversationState,
    body: SubmitCollectionBody,
    onWaiting: (failure: Failure | null) => void,
  ): Promise<Collection | { failure: Failure }> {
    let { collection: shown } = conversation;
    let { expectedVersion } = body;
    for (let resends = 0; ; resends += 1) {
      const result = await submitOnce(conversation, { ...body, expectedVersion }, onWaiting);
      if (!("failure" in result) || result.failure.code !== "version_conflict") return result;
      const { current } = result;
      const isSame = shown !== null && current !== null && isSameForm(shown, current);
      if (!isSame || resends === maxResends) return result;
      shown = current;
      expectedVersion = current.version;
    }
  }

  async function send(action: CollectionAction): Promise<void> {
    const conversation = store.conversation();
    const { chatId, collection } = conversation;
    if (collection?.request == null) return;
    const { id: requestId } = collection.request;
    const setProgress = (progress: FormProgress) => changeForm(chatId, requestId, { progress });
    const onWaiting = (waiting: Failure | null) => setProgress({ state: "sending", action, waiting });
    onWaiting(null);
    const entries = formEntries(collection);
    // Values that someone else has stored meanwhile are replaced by the customer's own.
    const typed = typedAnswersOf(store.getState());
    let now = collection;
    // Answers beyond the limit of one submission go out in parts.
    for (let sent = 0; sent === 0 || sent < entries.length; sent += limits.answersPerSubmission) {
      const body = action === "save" ? saveBody(now, formEntries(now), typed) : endBody(now, action);
      const result = await submit({ ...conversation, collection: now }, body, onWaiting);
      if ("failure" in result) return setProgress({ state: "failed", action, failure: result.failure });
      now = result;
      const isWhole = (body.values?.size ?? 0) < limits.answersPerSubmission;
      if (isWhole || now.request?.id !== requestId) break;
    }
    const isSaved = action === "save" && now.request?.id === requestId;
    changeForm(chatId, requestId, {
      typed: now.request?.id === requestId ? notAccepted(typed, formEntries(now)) : new Map(),
      typedSince: newestChange(now),
      progress: { state: isSaved ? "saved" : "filling" },
      wasSaved: isSaved || formStateOf(of(chatId), requestId).wasSaved,
      isChecked: false,
    });
  }

  /** False while a submission is in flight, or while the server has asked to wait. */
  function canSubmit(): boolean {
    const { conversation, forms } = store.getState();
    const { progress } = formStateOf(forms, conversation.collection?.request?.id ?? "");
    if (progress.state === "failed") return pausedUntil(progress.failure, Date.now()) === null;
    return progress.state !== "sending";
  }

  /**
   * Passes the chat to the team. If the team requires a form first, it opens in the chat, and the request is
   * repeated once the form is complete. Never rejects.
   */
  async function handOff(conversation: ConversationState, request: HandoffRequest): Promise<void> {
    const { chatId } = conversation;
    if (chatId === null) return;
    const { confirmationId, locale, email } = request;
    const body = { confirmationId, locale, ...(email === null ? {} : { email }) };
    const handoff = attemptAt(of(chatId).handoff, JSON.stringify(body));
    change(chatId, { handoff });
    const onWaiting = (waiting: Failure | null) =>
      changeOffer(chatId, { request, attempt: { confirmationId, state: "sending", waiting } });
    onWaiting(null);
    try {
      const { item } = await repeatWrite(
        deps,
        () => client.handoff(chatId, body, { idempotencyKey: handoff.key }),
        onWaiting,
      );
      change(chatId, { handoff: null });
      changeOffer(chatId, { request: null, attempt: null });
      publish(conversation, { type: "chat_read", chat: item });
      void syncSoon(conversation);
    } catch (error) {
      const failure = deps.failureOf(error);
      // After a refusal such as `collection_incomplete` the next attempt needs a new key (docs/chat-api.md,
      // "Forms and handoffs").
      if (!keepsKey(failure)) change(chatId, { handoff: null });
      setAttempt(chatId, { confirmationId, state: "failed", failure });
      // Polls unless the server asks for a wait: there may be a form or a new offer, or the team may have the
      // chat if only the response was lost.
      if (!showEnd(conversation, failure) && askedUntil(failure) === null) void syncSoon(conversation);
    }
  }

  /** Repeats the handoff after the customer has answered the team's questions. */
  async function continueHandoff(conversation: ConversationState): Promise<void> {
    const offer = conversation.messages.findLast(({ handoffOffer }) => handoffOffer !== null)?.handoffOffer;
    const { request } = of(conversation.chatId).offer;
    if (request !== null) await handOff(conversation, request);
    else if (offer) {
      const { confirmationId } = offer;
      await handOff(conversation, { confirmationId, email: null, locale: deps.locale() });
    }
  }

  return {
    /** Loads the forms of this conversation, which comes on screen. */
    show: ({ chatId }: ConversationRef) => store.set({ forms: of(chatId) }),
    /** Reads the collection when it is needed, and again after each change of the chat. */
    onState() {
      const { conversation, forms } = store.getState();
      const { chatId, chat, collection } = conversation;
      if (forms !== of(chatId)) store.set({ forms: of(chatId) });
      const openId = isOver(conversation) ? null : (collection?.request?.id ?? null);
      // The channel may have reopened the form.
      if (openId !== null && formStateOf(of(chatId), openId).end !== null)
        changeForm(chatId, openId, { end: null });
      const version = `${chatId} ${chat?.updatedAt}`;
      const { failure } = forms.offer.attempt?.state === "failed" ? forms.offer.attempt : { failure: null };
      const isNeeded = hasForm(conversation) || failure?.code === "collection_incomplete";
      if (chat === null || version === readFor || !isNeeded) return;
      readFor = version;
      readShown();
    },
    /** The customer returns to the chat, or a read has failed. */
    readAgain: readShown,
    type(fieldId: string, text: string) {
      const state = store.getState();
      const { chatId, collection } = state.conversation;
      if (collection?.request == null) return;
      if (!formEntries(collection).some(({ field }) => field.id === fieldId)) return;
      const { id } = collection.request;
      const { typed, typedSince, progress } = formStateOf(state.forms, id);
      changeForm(chatId, id, {
        typed: new Map(typedAnswersOf(state)).set(fieldId, text),
        typedSince: typed?.size ? typedSince : newestChange(collection),
        progress: progress.state === "saved" ? { state: "filling" } : progress,
      });
    },
    submit(): AnswerProblems {
      const state = store.getState();
      const { chatId, collection } = state.conversation;
      if (collection?.request == null || !canSubmit()) return new Map();
      changeForm(chatId, collection.request.id, { isChecked: true });
      const problems = answerProblems(formEntries(collection), typedAnswersOf(state));
      if (problems.size === 0) void send("save");
      return problems;
    },
    end(action: "skip" | "cancel") {
      if (canSubmit()) void send(action);
    },
    /** Sends a refused submission again. */
    retry() {
      const { conversation, forms } = store.getState();
      const { progress } = formStateOf(forms, conversation.collection?.request?.id ?? "");
      if (progress.state === "failed") void send(progress.action);
    },
    typeEmail: (email: string) => changeOffer(store.conversation().chatId, { email }),
    /** False if the offer asks for an address and there is no valid one. */
    accept({ confirmationId, requiresEmail }: HandoffOffer): boolean {
      const { attempt, email: typed } = of(store.conversation().chatId).offer;
      const email = typed.trim();
      if (requiresEmail && !emailPattern.test(email)) return false;
      if (attempt?.state !== "sending")
        void handOff(store.conversation(), {
          confirmationId,
          email: requiresEmail ? email : null,
          locale: deps.locale(),
        });
      return true;
    },
    /** Removes the note on a failed attempt. */
    dismissFailure() {
      const { chatId } = store.conversation();
      if (chatId !== null) setAttempt(chatId, null);
    },
  };
}
