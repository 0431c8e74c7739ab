/** List messages: pages from the oldest to the newest (docs/chat-api.md, "Operations"). */
import { limits } from "#lib/chat-api/limits.ts";
import type { MessagePage } from "#lib/chat-api/message.ts";
import type { ChannelLimits } from "../channel-limits.ts";
import { type ChatRef, requireChat } from "../chats/chat-store.ts";
import type { Clock } from "../clock.ts";
import type { Sql } from "../db/database.ts";
import { type CursorSigning, decodeCursor, encodeCursor } from "./cursor.ts";
import { toMessage } from "./message-row.ts";
import { messagesAfter } from "./message-store.ts";

export interface PageRequest extends ChatRef {
  limit?: number | undefined;
  /** The lab's page lengths. */
  lengths: Pick<ChannelLimits, "messagesPerPage" | "pageVariation">;
  cursor?: string | undefined;
}

/** The pages listed by this process: their lengths follow from it, if they vary. */
let listed = 0;

/** @throws ChatApiError `chat_not_found`, `invalid_cursor`, `cursor_expired` */
export async function listMessages(
  deps: { sql: Sql; clock: Clock; cursors: Pick<CursorSigning, "secret" | "expiredSecret"> },
  request: PageRequest,
): Promise<MessagePage> {
  const { sql } = deps;
  const { chatId } = request;
  await requireChat(sql, request);
  const signing = { ...deps.cursors, chatId, now: deps.clock.now() };
  const { messagesPerPage, pageVariation } = request.lengths;
  listed += 1;
  const longest = Math.min(request.limit ?? limits.messagesPerPage.default, messagesPerPage);
  const limit = Math.max(1, longest - ((listed * 7) % (pageVariation + 1)));
  const from = request.cursor === undefined ? 0 : decodeCursor(request.cursor, signing);
  // One extra row shows whether there is a next page.
  const rows = await messagesAfter(sql, chatId, from, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toMessage),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.sequence, signing) : null,
  };
}
