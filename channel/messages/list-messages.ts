/** List messages: pages from the oldest to the newest (docs/chat-api.md, "Operations"). */
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, asc, eq, gt } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import type { MessagePage } from "#lib/chat-api/message.ts";
import { cursorPattern } from "#lib/chat-api/patterns.ts";
import { type ChannelLimits, retention } from "../channel-limits.ts";
import { type ChatRef, requireChat } from "../chats/chat-store.ts";
import { addTime, type Clock } from "../core.ts";
import type { Sql } from "../db/database.ts";
import { messages } from "../db/schema.ts";
import { toMessage } from "./message-store.ts";

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
  const rows = await sql
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, chatId), gt(messages.sequence, from)))
    .orderBy(asc(messages.sequence))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toMessage),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.sequence, signing) : null,
  };
}

export interface CursorSigning {
  secret: string;
  /** The secret of the cursors that the lab has expired. */
  expiredSecret?: string | null;
  chatId: string;
  now: Date;
}

const payloadBytes = 12;
const signatureBytes = 16;

/** Creates the cursor of the page after this sequence. */
export function encodeCursor(sequence: number, signing: CursorSigning): string {
  const payload = Buffer.alloc(payloadBytes);
  payload.writeUInt32BE(sequence, 0);
  payload.writeDoubleBE(signing.now.getTime(), 4);
  return Buffer.concat([payload, signature(payload, signing)]).toString("base64url");
}

/**
 * Returns the sequence after which the page begins.
 *
 * @throws ChatApiError `invalid_cursor`, `cursor_expired`
 */
export function decodeCursor(cursor: string, signing: CursorSigning): number {
  const bytes = cursorPattern.test(cursor) ? Buffer.from(cursor, "base64url") : Buffer.alloc(0);
  const payload = bytes.subarray(0, payloadBytes);
  const isWhole =
    bytes.length === payloadBytes + signatureBytes &&
    // Only one spelling is valid: base64url may have spare bits in its last character.
    bytes.toString("base64url") === cursor;
  const isSignedWith = (secret: string) =>
    isWhole && timingSafeEqual(bytes.subarray(payloadBytes), signature(payload, { ...signing, secret }));
  const { expiredSecret } = signing;
  if (expiredSecret != null && isSignedWith(expiredSecret))
    throw new ChatApiError("cursor_expired", { field: "/cursor" });
  if (!isSignedWith(signing.secret)) throw new ChatApiError("invalid_cursor", { field: "/cursor" });
  if (addTime(new Date(payload.readDoubleBE(4)), retention.cursors) <= signing.now)
    throw new ChatApiError("cursor_expired", { field: "/cursor" });
  return payload.readUInt32BE(0);
}

function signature(payload: Buffer, { secret, chatId }: CursorSigning): Buffer {
  return createHmac("sha256", secret).update(chatId).update(payload).digest().subarray(0, signatureBytes);
}
