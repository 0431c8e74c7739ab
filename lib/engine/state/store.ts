/** The one store of a chat in this tab. */
import type { Browser } from "../browser/browser.ts";
import { emptyDraft } from "../chats/draft.ts";
import { type ConversationRef, isSameConversation } from "../conversation-ref.ts";
import type { FailureOf } from "../failure.ts";
import { noForms } from "./forms-state.ts";
import { type ConversationAction, reduceConversation } from "./reducer.ts";
import { type ChatState, type ConversationState, emptyConversation } from "./state.ts";

export type ChatStore = ReturnType<typeof createChatStore>;

export function createChatStore(
  initial: ConversationState,
  { browser, failureOf }: { browser: Pick<Browser, "isVisible" | "beforeFrame">; failureOf: FailureOf },
) {
  let state: ChatState = {
    owner: null,
    conversation: initial,
    draft: emptyDraft,
    uploads: [],
    forms: noForms,
    feedback: null,
    hasConsent: true,
    isLasting: true,
    leads: false,
  };
  /** The other conversations of this owner that this tab has shown. Replies to them continue. */
  let others: readonly ConversationState[] = [];
  const listeners = new Set<() => void>();
  /** The engine's own, which complete a change before the listeners hear of it. */
  const followers = new Set<() => void>();
  /** Set while a notification is pending: many deltas in one frame render once. */
  let cancelFrame: (() => void) | null = null;
  /** True during `batch`. */
  let isChanging = false;
  let hasChanged = false;

  function callEach(all: ReadonlySet<() => void>): void {
    // The host's listeners are among them: one that throws stops neither the others nor the action.
    for (const call of [...all])
      try {
        call();
      } catch (error) {
        failureOf(error);
      }
  }

  /** Tells of all changes once. Those that listeners make follow in another round, never inside this one. */
  function notify(): void {
    while (hasChanged) {
      cancelFrame?.();
      cancelFrame = null;
      hasChanged = false;
      callEach(followers);
      if (!hasChanged) callEach(listeners);
    }
  }

  /** Listeners hear once of what the action changes. */
  function batch<T>(act: () => T): T {
    if (isChanging) return act();
    isChanging = true;
    try {
      return act();
    } finally {
      notify();
      isChanging = false;
    }
  }

  function update(next: ChatState, isFrequent: boolean): void {
    if (state === next) return;
    state = next;
    const tell = () =>
      batch(() => {
        hasChanged = true;
      });
    // A hidden tab gets no animation frames.
    if (isFrequent && browser.isVisible()) cancelFrame ??= browser.beforeFrame(tell);
    else tell();
  }

  function apply(conversation: ConversationRef, action: ConversationAction): void {
    const reduce = (other: ConversationState) =>
      isSameConversation(other, conversation) ? reduceConversation(other, action) : other;
    others = others.map(reduce);
    const next = reduce(state.conversation);
    if (next !== state.conversation) update({ ...state, conversation: next }, action.type === "turn_delta");
  }

  function show(
    shown: ConversationState,
    rest: readonly ConversationState[],
    change: Partial<ChatState> = {},
  ): void {
    others = rest;
    update({ ...state, ...change, conversation: shown }, false);
  }

  return {
    getState: (): ChatState => state,
    /** The conversation on screen. */
    conversation: (): ConversationState => state.conversation,
    /** The latest known state of the conversation's chat; null if there is none. */
    chatOf: (conversation: ConversationRef) =>
      [state.conversation, ...others].find((one) => isSameConversation(one, conversation))?.chat ?? null,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    follow(follower: () => void): () => void {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    batch,
    /** Changes what belongs to no conversation. `isFrequent`: many changes in one frame notify once. */
    set(change: Partial<Omit<ChatState, "conversation" | "owner">>, isFrequent = false) {
      const next = { ...state, ...change };
      const names = Object.keys(change) as (keyof typeof change)[];
      if (names.some((name) => next[name] !== state[name])) update(next, isFrequent);
    },
    /** Brings another conversation of the same owner on screen. */
    show(conversation: ConversationRef) {
      const all = [state.conversation, ...others];
      const match = all.find((one) => isSameConversation(one, conversation));
      // The unread mark is set again once the chat's end has been read.
      const shown = match && { ...match, unreadAfterId: null };
      show(
        shown ?? emptyConversation(conversation),
        all.filter((one) => one !== match),
      );
    },
    /** Begins with this owner's conversation, and forgets the former owner's. */
    enter(owner: string, conversation: ConversationRef) {
      // A former owner's messages carry their create key into the next one's conversation.
      const isKept = state.owner === null && isSameConversation(state.conversation, conversation);
      const shown = isKept ? { ...state.conversation, ...conversation } : emptyConversation(conversation);
      show(shown, [], { owner, draft: emptyDraft, uploads: [], forms: noForms, feedback: null });
    },
    /** Applies the action to the conversation on screen. */
    dispatch: (action: ConversationAction) => apply(state.conversation, action),
    /** Applies the action to the conversation, on screen or not. */
    apply,
  };
}
