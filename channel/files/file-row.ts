/** A file's row and its mapping to the File resource. */
import { and, eq } from "drizzle-orm";
import type { File } from "#lib/chat-api/file.ts";
import type { Sql } from "../db/database.ts";
import { files } from "../db/schema.ts";

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

/** An unsent file is gone from `expiresAt` on, even if no sweep has removed it (docs/chat-api.md, "File"). */
export function isExpired(row: FileRow, now: Date): boolean {
  return row.expiresAt !== null && row.expiresAt <= now;
}

export async function findFile(tx: Sql, chatId: string, fileId: string): Promise<FileRow | undefined> {
  const [row] = await tx
    .select()
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.chatId, chatId)));
  return row;
}
