/** The conversations of this tab. React reads the one on screen; actions of all tabs change them. */
import { type ConversationRef, isSameConversation } from "../conversation-ref.ts";
import type { Tabs } from "../tabs/tabs.ts";
import { type ConversationAction, reduceConversation } from "./reducer.ts";
import { type ConversationState, emptyConversation } from "./state.ts";

export type ConversationStore = ReturnType<typeof createConversationStore>;

/** The messages between tabs. */
type TabMessage =
  | { type: "action"; conversation: ConversationRef; action: ConversationAction }
  /** A tab has opened the conversation: each tab that knows its streaming reply sends the text so far. */
  | { type: "hello"; conversation: ConversationRef };

export function createConversationStore(initial: ConversationRef, tabs: Tabs) {
  /** The conversations that this tab has shown, the current one first. Replies to the others continue. */
  let states: readonly ConversationState[] = [emptyConversation(initial)];
  const listeners = new Set<() => void>();
  /** Set while a notification is pending: many deltas in one frame render once. */
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
    // A hidden tab gets no animation frames.
    if (action.type === "turn_delta" && !document.hidden) frame ??= requestAnimationFrame(notify);
    else notify();
  }

  function post({ conversation: { chatId, createKey }, ...message }: TabMessage): void {
    tabs.post({ ...message, conversation: { chatId, createKey } });
  }

  const stopListening = tabs.onMessage((received) => {
    // Posted by this code in another tab of the same origin; nobody else uses the channel.
    const message = received as TabMessage;
    if (message.type === "hello")
      for (const action of replySoFar(
        states.find((known) => isSameConversation(known, message.conversation)),
      ))
        post({ type: "action", conversation: message.conversation, action });
    else apply(message.conversation, message.action);
  });
  post({ type: "hello", conversation: initial });

  return {
    getState,
    /** Notifies subscribers of a change outside the state, such as the draft's. */
    notify,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show(conversation: ConversationRef) {
      const known = states.find((state) => isSameConversation(state, conversation));
      const others = states.filter((state) => state !== known);
      // The unread mark is set again once the chat's end has been read.
      const shown = known && { ...known, unreadAfterId: null };
      states = [shown ?? emptyConversation(conversation), ...others];
      notify();
      post({ type: "hello", conversation });
    },
    /** Applies the action to the conversation on screen, in this tab only. */
    dispatch: (action: ConversationAction) => apply(getState(), action),
    /** Applies the action to the conversation, on screen or not, in this tab and all others. */
    publish(conversation: ConversationRef, action: ConversationAction) {
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

/** The actions with which another tab that opens this conversation shows the streaming reply known here. */
function replySoFar(state: ConversationState | undefined): readonly ConversationAction[] {
  const reply = state?.reply ?? null;
  const delivery = state?.pending.find(({ record }) => record.key === reply?.key)?.delivery;
  if (state === undefined || reply === null || delivery?.state !== "stored") return [];
  const { key, replyId, text, newText } = reply;
  const { messageId } = delivery;
  const start = { chatId: state.chatId ?? "", requestId: "", messageId, replyId };
  const again = (told: string): ConversationAction[] => [
    { type: "turn_started", key, start },
    { type: "turn_delta", key, text: told },
  ];
  // During a replay, its text so far comes last: later deltas are appended to it.
  return [...again(text), ...(newText === null ? [] : again(newText))];
}
