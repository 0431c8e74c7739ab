import type { Collection } from "../../chat-api/collection.ts";
import type { ChatRuntime } from "../chat-runtime.ts";
import type { ConversationRef } from "../conversation-ref.ts";

/**
 * Reads the chat's collection and publishes it, even if another conversation has come on screen meanwhile.
 */
export async function readCollection(
  runtime: ChatRuntime,
  conversation: ConversationRef = runtime.getState(),
): Promise<Collection | null> {
  if (conversation.chatId === null) return null;
  const collection = await runtime.client.getCollection(conversation.chatId);
  runtime.publish(conversation, { type: "collection_read", collection });
  return collection;
}
