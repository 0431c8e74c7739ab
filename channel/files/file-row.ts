/** A file as it is stored, and as the File resource shows it. */
import type { File } from "#lib/chat-api/file.ts";
import type { files } from "../db/schema.ts";

export type FileRow = typeof files.$inferSelect;

export function toFile(row: FileRow): File {
  return {
    id: row.id,
    chatId: row.chatId,
    filename: row.filename,
    mediaType: row.mediaType,
    byteSize: row.byteSize,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}

/** An unsent file is gone at its time, whether the sweep has come by or not (specification, "States", file lifecycle). */
export function isExpired(row: FileRow, now: Date): boolean {
  return row.expiresAt !== null && row.expiresAt <= now;
}
