/** Reads and writes a chat's collection. Writers hold the chat's lock. */
import { eq } from "drizzle-orm";
import type { Collection } from "#lib/chat-api/collection.ts";
import type { FormRequest } from "../agents/agent.ts";
import { type ChatRef, requireChat } from "../chats/chat-store.ts";
import type { Sql } from "../db/database.ts";
import { type CollectionState, collections } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { emptyCollection, openForm, readCollection } from "./collection-state.ts";

/** @throws ChatApiError `chat_not_found` */
export async function getCollection(sql: Sql, ref: ChatRef): Promise<Collection> {
  const chat = await requireChat(sql, ref);
  return readCollection(await loadCollection(sql, chat.id));
}

export async function loadCollection(sql: Sql, chatId: string): Promise<CollectionState> {
  const [row] = await sql
    .select({ state: collections.state })
    .from(collections)
    .where(eq(collections.chatId, chatId));
  return row?.state ?? emptyCollection;
}

/** Asks the customer to fill in the form. Replaces any open one. */
export async function requestForm(
  tx: Sql,
  chatId: string,
  form: FormRequest,
  pendingAction?: "handoff",
): Promise<Collection> {
  const opening = { requestId: newId("form"), ...(pendingAction && { pendingAction }) };
  const state = openForm(await loadCollection(tx, chatId), form, opening);
  await saveCollection(tx, chatId, state);
  return readCollection(state);
}

export async function saveCollection(tx: Sql, chatId: string, state: CollectionState): Promise<void> {
  await tx
    .insert(collections)
    .values({ chatId, state })
    .onConflictDoUpdate({ target: collections.chatId, set: { state } });
}
