/** Deletes a chat with everything that belongs to it. */
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { channels, chats, operations } from "../db/schema.ts";
import { buryKey } from "../idempotency/tombstones.ts";
import { type ChatPlace, lockChat } from "./chat-store.ts";

/**
 * The key that created the chat is remembered as gone (specification, "Errors", `idempotency_resource_gone`); every
 * other key of the chat is forgotten with it.
 *
 * @returns the turn that was running, to be abandoned
 * @throws ChatApiError `chat_not_found`
 */
export async function deleteChat(database: Database, place: ChatPlace): Promise<string | null> {
  return database.transaction(async (tx) => {
    const chat = await lockChat(tx, place);
    const [creation] = await tx
      .select({ channelKey: operations.channelKey, key: operations.key, createdAt: operations.createdAt })
      .from(operations)
      .where(and(eq(operations.chatId, chat.id), eq(operations.kind, "createChat")));
    if (creation !== undefined) await buryKey(tx, creation, "gone");
    await tx.delete(chats).where(eq(chats.id, chat.id));
    await tx
      .update(channels)
      .set({ chatCount: sql`${channels.chatCount} - 1` })
      .where(eq(channels.key, chat.channelKey));
    return chat.activeOperationId;
  });
}
