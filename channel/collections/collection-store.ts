/** Reading and writing a chat's collection. The chat's lock guards it: writers hold it. */
import { eq } from "drizzle-orm";
import type { Sql } from "../db/database.ts";
import { collections } from "../db/schema.ts";
import { type CollectionState, emptyCollection } from "./collection-state.ts";

export async function loadCollection(sql: Sql, chatId: string): Promise<CollectionState> {
  const [row] = await sql
    .select({ state: collections.state })
    .from(collections)
    .where(eq(collections.chatId, chatId));
  return row?.state ?? emptyCollection;
}

export async function saveCollection(tx: Sql, chatId: string, state: CollectionState): Promise<void> {
  await tx
    .insert(collections)
    .values({ chatId, state })
    .onConflictDoUpdate({ target: collections.chatId, set: { state } });
}
