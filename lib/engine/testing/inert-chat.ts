import type { ChatEngine } from "../chat.ts";
import { type Draft, emptyDraft } from "../chats/draft.ts";
import { createFailureOf } from "../failure.ts";
import { formProblemsOf } from "../state/form-selectors.ts";
import { noForms } from "../state/forms-state.ts";
import type { ChatState } from "../state/state.ts";
import { aConversation } from "./builders.ts";

export interface InertState extends Partial<Omit<ChatState, "draft">> {
  draft?: Partial<Draft>;
}

/** The state of a guest's chat. */
export function aChatState({ draft, ...state }: InertState = {}): ChatState {
  return {
    owner: "guest",
    conversation: aConversation(),
    draft: { ...emptyDraft, ...draft },
    uploads: [],
    forms: noForms,
    feedback: null,
    hasConsent: true,
    isLasting: true,
    leads: false,
    ...state,
  };
}

/** A chat with a fixed state that does nothing, for the gallery and for tests. */
export function inertChat(initial: InertState = {}, overrides: Partial<ChatEngine> = {}): ChatEngine {
  const state = aChatState(initial);
  const nothing = () => undefined;
  return {
    getState: () => state,
    subscribe: () => nothing,
    start: nothing,
    peek: nothing,
    setLocale: nothing,
    setConsent: nothing,
    agree: nothing,
    setText: nothing,
    addText: nothing,
    send: () => false,
    retry: nothing,
    tryNow: nothing,
    withdraw: nothing,
    edit: nothing,
    stop: nothing,
    attach: nothing,
    retryUpload: nothing,
    detach: nothing,
    answerForm: nothing,
    submitForm: () => formProblemsOf(state),
    skipForm: nothing,
    cancelForm: nothing,
    retryForm: nothing,
    readForm: nothing,
    setOfferEmail: nothing,
    acceptOffer: () => true,
    dismissOfferFailure: nothing,
    openChat: nothing,
    newChat: nothing,
    startOver: nothing,
    chats: () => [],
    forgetChat: nothing,
    readSummary: () => new Promise(nothing),
    reload: nothing,
    loadOlder: async () => undefined,
    transcript: async () => null,
    markSeen: nothing,
    markLookedAt: nothing,
    rate: nothing,
    fileUrl: ({ chatId, id }) => `/api/chat/chats/${chatId}/files/${id}`,
    readFile: () => new Promise(nothing),
    isFileGone: async () => false,
    failureOf: createFailureOf(),
    preferences: () => ({ sounds: false, isLarge: false, hidesGreeting: false }),
    setPreferences: nothing,
    close: nothing,
    ...overrides,
  };
}
