import type { Failure } from "../../../../lib/conversation/failure.ts";
import type { ConversationState } from "../../../../lib/conversation/state/state.ts";
import type { ChatRuntime } from "../chat-runtime.ts";

/** Shows at once that a chat has ended if a refusal says so: the next poll would show it later. */
export function showEnd(
  { publish }: Pick<ChatRuntime, "publish">,
  conversation: ConversationState,
  failure: Failure,
): void {
  const { chat } = conversation;
  if (failure.code === "chat_not_found") publish(conversation, { type: "sync_failed", failure });
  if (failure.code === "chat_closed" && chat !== null)
    publish(conversation, { type: "chat_read", chat: { ...chat, mode: "resolved" } });
}
