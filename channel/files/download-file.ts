/** Download a file (docs/chat-api.md, "Operations"). */
import { eq } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { type ChatRef, requireChat } from "../chats/chat-store.ts";
import { files } from "../db/schema.ts";
import { type FileRow, isExpired } from "./file-row.ts";
import { BytesMissing } from "./file-store.ts";
import { type FileDeps, findFile } from "./upload-file.ts";

export interface Download {
  file: FileRow;
  /** The first piece has been read; the others are read from the store on demand. */
  bytes: ReadableStream<Uint8Array>;
}

/** @throws ChatApiError `chat_not_found`, `file_not_found`, `file_not_ready` */
export async function downloadFile(
  deps: Pick<FileDeps, "database" | "clock" | "store">,
  ref: ChatRef,
  fileId: string,
): Promise<Download> {
  const { sql } = deps.database;
  const chat = await requireChat(sql, ref);
  const file = await findFile(sql, chat.id, fileId);
  if (file === undefined || isExpired(file, deps.clock.now())) throw new ChatApiError("file_not_found");
  if (!file.isReady || file.storageKey === null) throw new ChatApiError("file_not_ready");
  const pieces = deps.store.get(file.storageKey)[Symbol.asyncIterator]();
  try {
    // Reads the first piece before answering: once the status is sent, nothing can be refused.
    return { file, bytes: streamOf(await pieces.next(), pieces, file.byteSize) };
  } catch (error) {
    if (!(error instanceof BytesMissing)) throw error;
    // Repeating the upload with the same key restores the file.
    await sql.update(files).set({ isReady: false }).where(eq(files.id, file.id));
    throw new ChatApiError("file_not_ready", { cause: error });
  }
}

/** Fails if the store has fewer bytes than `byteSize`: the file has been deleted during the download. */
function streamOf(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
  byteSize: number,
): ReadableStream<Uint8Array> {
  let next: IteratorResult<Uint8Array> | undefined = first;
  let missing = byteSize;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece: IteratorResult<Uint8Array> = next ?? (await rest.next());
        next = undefined;
        if (piece.done === true || piece.value.byteLength === 0) {
          if (missing > 0) throw new Error(`The file ends ${missing} bytes early.`);
          controller.close();
          return;
        }
        missing -= piece.value.byteLength;
        controller.enqueue(piece.value);
      },
      async cancel() {
        await rest.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
