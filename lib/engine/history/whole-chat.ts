/** Reads the conversation on screen to its beginning. */
import type { ChatClient } from "../../chat-client/client.ts";
import type { WholeChat } from "../chat.ts";
import { readAllSteps } from "../limits.ts";
import type { OwnerParts } from "../owner-parts.ts";
import type { ChatStore } from "../state/store.ts";
import type { ConversationReader } from "./conversation-reader.ts";

/**
 * Reads until another conversation is on screen, a read fails or `readAllSteps` ends an endless list.
 * `hasOlder` is true if any messages are missing. Never rejects.
 */
export async function loadAll(
  { loadOlder }: Pick<ConversationReader, "loadOlder">,
  { conversation }: Pick<ChatStore, "conversation">,
): Promise<void> {
  const { createKey } = conversation();
  for (let step = 0; step < readAllSteps && conversation().history.hasOlder; step += 1) {
    await loadOlder();
    const { createKey: shown, history } = conversation();
    if (shown !== createKey || history.older !== "idle") return;
  }
}

export interface WholeChatDeps extends Pick<OwnerParts, "failureOf" | "publish"> {
  client: Pick<ChatClient, "getCollection">;
  reading: Pick<ConversationReader, "loadOlder">;
}

/** Reads the whole chat for a transcript. Null if another conversation has come on screen. */
export async function readWholeChat(
  { client, reading, failureOf, publish }: WholeChatDeps,
  store: Pick<ChatStore, "conversation">,
): Promise<WholeChat | null> {
  async function readDetails(): Promise<void> {
    const { chatId } = wanted;
    if (chatId === null) return;
    publish(wanted, { type: "collection_read", collection: await client.getCollection(chatId) });
  }

  const wanted = store.conversation();
  // Messages that cannot be read now are missing from the text, which is better than no text.
  await Promise.all([loadAll(reading, store), readDetails().catch(failureOf)]);
  const { createKey, messages, collection, history } = store.conversation();
  return createKey === wanted.createKey ? { messages, collection, isComplete: !history.hasOlder } : null;
}
