/** Upload a file (docs/chat-api.md, "Operations", "Limits"). */
import { and, eq, gt, isNull, ne, or, sql } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import type { File } from "#lib/chat-api/message.ts";
import { operationPath, operations as operationTable } from "#lib/chat-api/operations.ts";
import { type ChatPhase, type ChatRef, type ChatRow, lockChat, requireOpen } from "../chats/chat-store.ts";
import { addTime, type Core } from "../core.ts";
import type { Sql } from "../db/database.ts";
import { fileParts, files, operations } from "../db/schema.ts";
import { fingerprint, type WriteRequest } from "../idempotency/ledger.ts";
import { runOnce } from "../idempotency/run-once.ts";
import { newId } from "../ids.ts";
import { type FileRow, findFile, isExpired, toFile } from "./file-store.ts";
import { type ReceivedFile, receiveFile } from "./upload-reader.ts";

/**
 * Reads the body and stores it as a file of the chat, unless the key has already done so. Repeating the
 * upload of an expired or unready file makes it usable again, unless the chat is resolved. `chatBytes`: how
 * many bytes the files of a chat may have together.
 *
 * @throws ChatApiError one of the operation's codes
 */
export async function uploadFile(
  deps: Pick<Core, "database" | "clock" | "reach">,
  ref: ChatRef,
  key: string,
  request: Request,
  chatBytes: number,
): Promise<{ item: File; isReplay: boolean }> {
  const upload = await receiveFile(request);
  const write: WriteRequest = {
    ...ref,
    kind: "uploadFile",
    key,
    fingerprint: uploadFingerprint(ref.chatId, upload),
  };
  return runOnce<ChatRow, File>(deps, write, {
    lock: lockChat,
    async run(phase) {
      requireOpen(phase.chat);
      deps.reach("inside-upload");
      return { kind: "done", item: await addFile(phase, upload, chatBytes) };
    },
    async replay(phase, item) {
      // A sweep leaves nothing but the file's ID.
      const row =
        (await findFile(phase.tx, phase.chat.id, item.id)) ??
        newFileRow(phase, upload, { id: item.id, expiresAt: phase.now });
      const isUsable = row.isReady && !isExpired(row, phase.now);
      if (isUsable) return item;
      if (phase.chat.mode === "resolved") return toFile(row);
      return restoreFile(phase, row, upload, chatBytes);
    },
  });
}

/**
 * The fingerprint covers the file instead of the body, because every repetition has a new multipart boundary.
 */
function uploadFingerprint(chatId: string, { filename, mediaType, sha256 }: ReceivedFile): string {
  const { method } = operationTable.uploadFile;
  return fingerprint(method, operationPath("uploadFile", { chatId }), { filename, mediaType, sha256 });
}

async function addFile(phase: ChatPhase, upload: ReceivedFile, chatBytes: number): Promise<File> {
  const { tx, now } = phase;
  const expiresAt = addTime(now, limits.unsentFileLifetime);
  const row = newFileRow(phase, upload, { id: newId("file"), expiresAt });
  await requireRoom(phase, row, chatBytes);
  await tx.insert(files).values(row);
  await storeBytes(tx, row.id, upload.bytes);
  return toFile(row);
}

function newFileRow(
  { chat, now }: ChatPhase,
  { filename, mediaType, bytes }: ReceivedFile,
  own: Pick<FileRow, "id" | "expiresAt">,
): FileRow {
  const byteSize = bytes.byteLength;
  return { ...own, chatId: chat.id, filename, mediaType, byteSize, createdAt: now, isReady: true };
}

/** Restores the file with its bytes. It keeps its ID; an unsent file then expires a day from now. */
async function restoreFile(
  phase: ChatPhase,
  row: FileRow,
  { bytes }: ReceivedFile,
  chatBytes: number,
): Promise<File> {
  const { tx, now } = phase;
  await requireRoom(phase, row, chatBytes);
  const isReady = true;
  const expiresAt = row.expiresAt && addTime(now, limits.unsentFileLifetime);
  await tx
    .insert(files)
    .values({ ...row, isReady, expiresAt })
    .onConflictDoUpdate({ target: files.id, set: { isReady, expiresAt } });
  // A sweep may not have deleted the bytes, which the fingerprint says are the same.
  await storeBytes(tx, row.id, bytes);
  const restored = toFile({ ...row, expiresAt });
  // From now on a replay returns this item.
  await tx.update(operations).set({ result: restored }).where(eq(operations.id, phase.operationId));
  return restored;
}

/** PGlite would need 140 MB more for the statement of a whole file. An empty file has one empty part. */
const partBytes = 256 * 1024;

async function storeBytes(tx: Sql, fileId: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  for (let part = 0; part === 0 || part * partBytes < bytes.byteLength; part += 1) {
    const piece = bytes.subarray(part * partBytes, (part + 1) * partBytes);
    await tx.insert(fileParts).values({ fileId, part, bytes: piece }).onConflictDoNothing();
  }
}

/**
 * Runs under the chat's lock, so that parallel uploads cannot exceed the limits together.
 * @throws ChatApiError `file_limit_reached`, `file_storage_limit`
 */
async function requireRoom({ tx, chat, now }: ChatPhase, file: FileRow, chatBytes: number): Promise<void> {
  const [present] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(${files.byteSize}), 0)::int`,
    })
    .from(files)
    .where(
      and(
        eq(files.chatId, chat.id),
        ne(files.id, file.id),
        or(isNull(files.expiresAt), gt(files.expiresAt, now)),
      ),
    );
  if ((present?.count ?? 0) >= limits.filesPerChat) throw new ChatApiError("file_limit_reached");
  if ((present?.bytes ?? 0) + file.byteSize > chatBytes) throw new ChatApiError("file_storage_limit");
}
