/**
 * Exports chats in the format of the import. An exported chat keeps its ID, times, texts, cards and details;
 * it loses its files, offers and idempotency keys, which belong to the requests that made them.
 */
import { asc, eq } from "drizzle-orm";
import { type ReplyPart, replyParts } from "#lib/chat-api/message.ts";
import type { ChatRow } from "../chats/chat-store.ts";
import type { Sql } from "../db/database.ts";
import { type CollectionState, chats, collections, messages, type OpenForm } from "../db/schema.ts";
import type { ExportedChat } from "./lab-client.ts";

type MessageRow = typeof messages.$inferSelect;

/** Every chat of the channel, oldest first. */
export async function exportChats(sql: Sql, channelKey: string): Promise<ExportedChat[]> {
  const rows = await sql
    .select({ chat: chats, collection: collections.state })
    .from(chats)
    .leftJoin(collections, eq(collections.chatId, chats.id))
    .where(eq(chats.channelKey, channelKey))
    .orderBy(asc(chats.createdAt), asc(chats.id));
  const exported: ExportedChat[] = [];
  for (const { chat, collection } of rows) {
    const written = await sql
      .select()
      .from(messages)
      .where(eq(messages.chatId, chat.id))
      .orderBy(asc(messages.sequence));
    exported.push(exportedChat(chat, written, collection));
  }
  return exported;
}

function exportedChat(
  chat: ChatRow,
  written: MessageRow[],
  collection: CollectionState | null,
): ExportedChat {
  return {
    id: chat.id,
    userId: chat.userId,
    locale: chat.locale,
    mode: chat.mode,
    createdAt: chat.createdAt.toISOString(),
    historyComplete: chat.historyComplete,
    teammate: chat.teammateName ?? undefined,
    handoff: exportedHandoff(chat),
    messages: written.map(exportedMessage),
    collection: collection === null ? undefined : exportedCollection(collection),
  };
}

function exportedHandoff(chat: ChatRow): ExportedChat["handoff"] {
  if (chat.handoffStatus === null) return undefined;
  return {
    status: chat.handoffStatus,
    requestedAt: chat.handoffRequestedAt?.toISOString(),
    requiresEmail: chat.handoffRequiresEmail ?? false,
    email: chat.handoffEmail ?? undefined,
  };
}

function exportedMessage({ role, text, createdAt, authorName, attachments }: MessageRow) {
  const cards = (Object.keys(replyParts) as ReplyPart[]).filter((part) => attachments[part]?.length);
  return {
    role,
    text,
    createdAt: createdAt?.toISOString() ?? null,
    author: authorName ?? undefined,
    ...Object.fromEntries(cards.map((part) => [part, attachments[part]])),
  };
}

function exportedCollection(state: CollectionState): NonNullable<ExportedChat["collection"]> {
  return {
    fields: state.fields,
    values: state.values.map(({ updatedAt: _, ...value }) => value),
    form: state.request === null ? undefined : exportedForm(state.request, state.fields),
    error: state.error,
  };
}

function exportedForm(request: OpenForm, fields: CollectionState["fields"]) {
  const { collectionId, purpose, canSkip, canCancel } = request;
  const formFields = request.fields.flatMap(({ fieldId, required }) => {
    const field = fields.find(({ id }) => id === fieldId);
    return field === undefined ? [] : [{ field, required }];
  });
  return { collectionId, purpose, fields: formFields, canSkip, canCancel };
}
