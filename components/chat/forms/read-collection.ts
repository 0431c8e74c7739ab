import type { ChatRuntime } from "../runtime/chat-runtime.ts";

/** Reads the chat's collection for all who show it. */
export async function readCollection(runtime: ChatRuntime): Promise<void> {
  const { chatId } = runtime.getState();
  if (chatId === null) return;
  runtime.publish({ type: "collection_read", collection: await runtime.client.getCollection(chatId) });
}
