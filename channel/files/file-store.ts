/** Files: their rows, the File resource, and the download (docs/chat-api.md, "Operations"). */
import { and, asc, eq } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { File } from "#lib/chat-api/message.ts";
import { type ChatRef, requireChat } from "../chats/chat-store.ts";
import type { Core } from "../core.ts";
import type { Sql } from "../db/database.ts";
import { fileParts, files } from "../db/schema.ts";
import { attachmentDisposition } from "./filename.ts";

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

/** @throws ChatApiError `chat_not_found`, `file_not_found`, `file_not_ready` */
export async function downloadFile(
  { database: { sql }, clock }: Pick<Core, "database" | "clock">,
  ref: ChatRef,
  fileId: string,
): Promise<Response> {
  const chat = await requireChat(sql, ref);
  const file = await findFile(sql, chat.id, fileId);
  if (file === undefined || isExpired(file, clock.now())) throw new ChatApiError("file_not_found");
  if (!file.isReady) throw new ChatApiError("file_not_ready");
  const parts = await sql
    .select({ bytes: fileParts.bytes })
    .from(fileParts)
    .where(eq(fileParts.fileId, file.id))
    .orderBy(asc(fileParts.part));
  // Deleted since.
  if (parts.length === 0) throw new ChatApiError("file_not_found");
  return new Response(Buffer.concat(parts.map(({ bytes }) => bytes)), {
    headers: {
      "content-type": file.mediaType,
      "content-length": String(file.byteSize),
      "content-disposition": attachmentDisposition(file.filename),
      // If a browser opens this address, nothing in the file may run, whatever it claims to be.
      "content-security-policy": "default-src 'none'; sandbox",
    },
  });
}
