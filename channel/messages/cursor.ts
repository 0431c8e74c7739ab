/**
 * Cursors of the message list: a position and a time, signed for one chat, so that a cursor of another chat or a made-up
 * one is told from a real one (specification, "Errors", `invalid_cursor`, `cursor_expired`).
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { cursorPattern } from "#lib/chat-api/patterns.ts";
import { after } from "../clock.ts";
import { retention } from "../limits.ts";

export interface CursorSigning {
  secret: string;
  /** Of cursors that were expired before their time. */
  expiredSecret?: string | null;
  chatId: string;
  now: Date;
}

const payloadBytes = 12;
const signatureBytes = 16;

/** The cursor of the page that begins after the message with this sequence. */
export function encodeCursor(sequence: number, signing: CursorSigning): string {
  const payload = Buffer.alloc(payloadBytes);
  payload.writeUInt32BE(sequence, 0);
  payload.writeDoubleBE(signing.now.getTime(), 4);
  return Buffer.concat([payload, signature(payload, signing)]).toString("base64url");
}

/**
 * The sequence that the page begins after.
 *
 * @throws ChatApiError `invalid_cursor`, `cursor_expired`
 */
export function decodeCursor(cursor: string, signing: CursorSigning): number {
  const bytes = cursorPattern.test(cursor) ? Buffer.from(cursor, "base64url") : Buffer.alloc(0);
  const payload = bytes.subarray(0, payloadBytes);
  const isWhole =
    bytes.length === payloadBytes + signatureBytes &&
    // One spelling only: base64url has spare bits in the last letter of some lengths.
    bytes.toString("base64url") === cursor;
  const isSignedWith = (secret: string) =>
    isWhole && timingSafeEqual(bytes.subarray(payloadBytes), signature(payload, { ...signing, secret }));
  const { expiredSecret } = signing;
  if (expiredSecret != null && isSignedWith(expiredSecret))
    throw new ChatApiError("cursor_expired", { field: "/cursor" });
  if (!isSignedWith(signing.secret)) throw new ChatApiError("invalid_cursor", { field: "/cursor" });
  if (after(new Date(payload.readDoubleBE(4)), retention.cursors) <= signing.now)
    throw new ChatApiError("cursor_expired", { field: "/cursor" });
  return payload.readUInt32BE(0);
}

function signature(payload: Buffer, { secret, chatId }: CursorSigning): Buffer {
  return createHmac("sha256", secret).update(chatId).update(payload).digest().subarray(0, signatureBytes);
}
