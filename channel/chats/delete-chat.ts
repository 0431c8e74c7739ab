/** Deletes a chat with its rows. */
import { and, eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { chats, operations } from "../db/schema.ts";
import { addTombstone } from "../idempotency/tombstones.ts";
import { addToChatCount } from "./chat-count.ts";
import { type ChatRef, lockChat } from "./chat-store.ts";

/**
 * Remembers the key that created the chat as gone (`idempotency_resource_gone`). Every other key of the chat
 * is deleted with it.
 *
 * @returns the operation of the turn that was running, which the caller abandons
 * @throws ChatApiError `chat_not_found`
 */
export async function deleteChat(database: Database, ref: ChatRef): Promise<string | null> {
  return database.transaction(async (tx) => {
    const chat = await lockChat(tx, ref);
    const [creation] = await tx
      .select({ channelKey: operations.channelKey, key: operations.key, createdAt: operations.createdAt })
      .from(operations)
      .where(and(eq(operations.chatId, chat.id), eq(operations.kind, "createChat")));
    if (creation !== undefined) await addTombstone(tx, creation);
    await tx.delete(chats).where(eq(chats.id, chat.id));
    await addToChatCount(tx, chat.channelKey, -1);
    return chat.activeOperationId;
  });
}
