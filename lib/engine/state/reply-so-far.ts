import type { ConversationAction } from "./reducer.ts";
import type { ConversationState } from "./state.ts";

/** The actions with which another tab that opens this conversation shows the streaming reply known here. */
export function replySoFar(state: ConversationState): readonly ConversationAction[] {
  const { reply } = state;
  const delivery = state.pending.find(({ record }) => record.key === reply?.key)?.delivery;
  if (reply === null || delivery?.state !== "stored") return [];
  const { key, replyId, text, newText } = reply;
  const { messageId } = delivery;
  const start = { chatId: state.chatId ?? "", requestId: "", messageId, replyId };
  const again = (soFar: string): ConversationAction[] => [
    { type: "turn_started", key, start },
    { type: "turn_delta", key, text: soFar },
  ];
  // During a replay, its text so far comes last: later deltas are appended to it.
  return [...again(text), ...(newText === null ? [] : again(newText))];
}
