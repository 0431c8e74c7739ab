/** Imports a chat as a seed for demonstrations and tests, in a state that would take long to reach. */
import type { Chat } from "#lib/chat-api/chat.ts";
import { addToChatCount, type ChatRow, requireChat, toChat } from "../chats/chat-store.ts";
import { newChatRow } from "../chats/create-chat.ts";
import { emptyCollection, openForm, readCollection } from "../collections/collection-state.ts";
import { saveCollection } from "../collections/collection-store.ts";
import type { Core } from "../core.ts";
import type { Sql } from "../db/database.ts";
import { type CollectionState, chats, messages } from "../db/schema.ts";
import { newId } from "../ids.ts";
import type { ImportBody } from "./lab-requests.ts";

/** Rows per statement, far below the database's parameter limit. */
const batch = 500;

/**
 * A chat with this ID that exists is left unchanged.
 * @throws ChatApiError `chat_not_found` if another channel has a chat with this ID
 */
export async function importChat(
  { database, clock, channelKey }: Pick<Core, "database" | "clock" | "channelKey">,
  body: ImportBody,
): Promise<Chat> {
  const row = chatRow(channelKey, body, clock.now());
  const { collection: imported } = body;
  return database.transaction(async (tx) => {
    const inserted = await tx.insert(chats).values(row).onConflictDoNothing().returning({ id: chats.id });
    if (inserted.length === 0) return toChat(await requireChat(tx, { channelKey, chatId: row.id }));
    await addToChatCount(tx, channelKey, 1);
    const collection = imported && collectionState(imported, row.updatedAt);
    await insertMessages(tx, row, body, collection);
    if (collection !== undefined) await saveCollection(tx, row.id, collection);
    return toChat(row);
  });
}

function chatRow(channelKey: string, body: ImportBody, now: Date): ChatRow {
  const { handoff } = body;
  const row = newChatRow(channelKey, body, now);
  return {
    ...row,
    id: body.id ?? row.id,
    mode: body.mode,
    teammateName: body.teammate ?? null,
    createdAt: body.createdAt ?? now,
    resolvedAt: body.mode === "resolved" ? now : null,
    historyComplete: body.historyComplete,
    handoffStatus: handoff?.status ?? null,
    handoffRequestedAt: handoff === undefined ? null : (handoff.requestedAt ?? now),
    handoffRequiresEmail: handoff?.requiresEmail ?? null,
    handoffEmail: handoff?.email ?? null,
    lastSequence: body.messages.length,
  };
}

async function insertMessages(
  tx: Sql,
  chat: ChatRow,
  { messages: imported }: ImportBody,
  collection: CollectionState | undefined,
): Promise<void> {
  const rows = imported.map(({ role, text, createdAt, author, ...attachments }, index) => {
    const asks = index === imported.length - 1 && collection !== undefined && collection.request !== null;
    return {
      id: newId("msg"),
      chatId: chat.id,
      sequence: index + 1,
      role,
      text,
      createdAt,
      authorName: author ?? null,
      attachments: asks ? { ...attachments, collection: readCollection(collection) } : attachments,
    };
  });
  for (let start = 0; start < rows.length; start += batch)
    await tx.insert(messages).values(rows.slice(start, start + batch));
}

function collectionState(imported: NonNullable<ImportBody["collection"]>, at: Date): CollectionState {
  const state: CollectionState = {
    ...emptyCollection,
    fields: imported.fields,
    values: imported.values.map((value) => ({ ...value, updatedAt: at.toISOString() })),
  };
  const opened =
    imported.form === undefined ? state : openForm(state, imported.form, { requestId: newId("form") });
  return { ...opened, error: imported.error };
}
