/** The conversation on screen: one state, read by React, changed by actions of this tab and of the others. */
import { type ConversationRef, isSameConversation } from "#lib/conversation/conversation-ref.ts";
import { type ConversationAction, reduceConversation } from "#lib/conversation/reducer.ts";
import { type ConversationState, emptyConversation } from "#lib/conversation/state.ts";
import type { Tabs } from "./tabs.ts";

export interface ConversationStore {
  getState(): ConversationState;
  subscribe(listener: () => void): () => void;
  /** Something beside the state has changed. */
  notify(): void;
  /** Another conversation takes the screen. */
  show(conversation: ConversationRef): void;
  /** Only this tab, only the conversation on screen. */
  dispatch(action: ConversationAction): void;
  /** The conversation, on screen or not, in this tab and in the others. */
  publish(conversation: ConversationRef, action: ConversationAction): void;
  close(): void;
}

/** What tabs tell each other. */
type TabMessage =
  | { type: "action"; conversation: ConversationRef; action: ConversationAction }
  /** A tab has opened the conversation: whoever receives its reply tells what has come so far. */
  | { type: "hello"; conversation: ConversationRef };

export function createConversationStore(initial: ConversationRef, tabs: Tabs): ConversationStore {
  /** The conversations that this tab has shown, the one on screen first. A reply goes on in those behind it. */
  let states: readonly ConversationState[] = [emptyConversation(initial)];
  const listeners = new Set<() => void>();
  /** Set while a notification is due: many deltas in one frame draw once. */
  let frame: number | null = null;

  const getState = (): ConversationState => states[0] ?? emptyConversation(initial);

  function notify(): void {
    if (frame !== null) cancelAnimationFrame(frame);
    frame = null;
    for (const listener of listeners) listener();
  }

  function apply(conversation: ConversationRef, action: ConversationAction): void {
    const before = getState();
    states = states.map((state) =>
      isSameConversation(state, conversation) ? reduceConversation(state, action) : state,
    );
    if (before === getState()) return;
    // A hidden tab gets no frames.
    if (action.type === "turn_delta" && !document.hidden) frame ??= requestAnimationFrame(notify);
    else notify();
  }

  function post({ conversation: { chatId, createKey }, ...message }: TabMessage): void {
    tabs.post({ ...message, conversation: { chatId, createKey } });
  }

  function answerHello(conversation: ConversationRef): void {
    const state = states.find((known) => isSameConversation(known, conversation));
    const reply = state?.reply ?? null;
    const delivery = state?.pending.find(({ record }) => record.key === reply?.key)?.delivery;
    if (reply === null || delivery?.state !== "stored") return;
    const { key, replyId, text } = reply;
    const start = {
      chatId: conversation.chatId ?? "",
      requestId: "",
      messageId: delivery.messageId,
      replyId,
    };
    post({ type: "action", conversation, action: { type: "turn_started", key, start } });
    post({ type: "action", conversation, action: { type: "turn_delta", key, text } });
  }

  const stopListening = tabs.onMessage((received) => {
    // Posted by this same code in another tab of the same origin: nobody else has the channel.
    const message = received as TabMessage;
    if (message.type === "hello") answerHello(message.conversation);
    else apply(message.conversation, message.action);
  });
  post({ type: "hello", conversation: initial });

  return {
    getState,
    notify,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show(conversation) {
      const known = states.find((state) => isSameConversation(state, conversation));
      const others = states.filter((state) => state !== known);
      // What is unread by now is known when the chat's end has been read.
      const shown = known && { ...known, unreadAfterId: null };
      states = [shown ?? emptyConversation(conversation), ...others];
      notify();
      post({ type: "hello", conversation });
    },
    dispatch: (action) => apply(getState(), action),
    publish(conversation, action) {
      apply(conversation, action);
      post({ type: "action", conversation, action });
    },
    close() {
      stopListening();
      listeners.clear();
      if (frame !== null) cancelAnimationFrame(frame);
    },
  };
}
