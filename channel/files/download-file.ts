/** Download a file (docs/chat-api.md, "Operations"). */
import { asc, eq } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { type ChatRef, requireChat } from "../chats/chat-store.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { fileParts } from "../db/schema.ts";
import { findFile, isExpired } from "./file-row.ts";
import { attachmentDisposition } from "./filename.ts";

/** @throws ChatApiError `chat_not_found`, `file_not_found`, `file_not_ready` */
export async function downloadFile(
  { database: { sql }, clock }: { database: Database; clock: Clock },
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
