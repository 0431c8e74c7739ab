import type { ChatRuntime } from "../chat-runtime.ts";
import type { Failure } from "../failure.ts";
import type { ConversationState } from "../state/state.ts";

/**
 * If the failure says that the chat is closed or deleted, shows this at once and reads the chat again, which
 * may be open after all. Returns false for other failures.
 */
export function showEnd(
  { publish, history }: Pick<ChatRuntime, "publish" | "history">,
  conversation: ConversationState,
  failure: Failure,
): boolean {
  const { chat } = conversation;
  const { code } = failure;
  if (code === "chat_not_found") publish(conversation, { type: "sync_failed", failure });
  else if (code !== "chat_closed") return false;
  else if (chat !== null) publish(conversation, { type: "chat_read", chat: { ...chat, mode: "resolved" } });
  void history.syncSoon(conversation);
  return true;
}
