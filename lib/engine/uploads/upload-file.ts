import type { File as ChatFile } from "../../chat-api/file.ts";
import type { ChatRuntime } from "../chat-runtime.ts";
import { mediaTypeOf } from "./attachments.ts";
import { createProgressFetch } from "./progress-fetch.ts";

/** Uploads one file to the chat on screen. Rejects as the client does. `onProgress` gets 0 to 1. */
export async function uploadFile(
  runtime: ChatRuntime,
  { file, key }: { file: File; key: string },
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<ChatFile> {
  const chatId = await runtime.chats.require();
  const client = runtime.clientWith(
    createProgressFetch((sent, total) => onProgress(total === 0 ? 0 : sent / total)),
  );
  const upload = { bytes: file, filename: file.name, mediaType: mediaTypeOf(file) ?? file.type };
  const { item } = await client.uploadFile(chatId, upload, { idempotencyKey: key, signal });
  return item;
}
