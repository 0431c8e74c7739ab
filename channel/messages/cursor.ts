/**
 * Cursors of the message list: a position and a time, signed for one chat, so that forged cursors and those
 * of other chats are refused (`invalid_cursor`, `cursor_expired`).
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { cursorPattern } from "#lib/chat-api/patterns.ts";
import { retention } from "../channel-limits.ts";
import { addTime } from "../clock.ts";

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
