import type { File } from "#lib/chat-api/file.ts";
import { operationPath } from "#lib/chat-api/operations.ts";

/** Where the browser gets the file's bytes: from the shop's own server, which asks whether this customer may have them. */
export function fileAddress({ chatId, id }: File): string {
  return `/api${operationPath("downloadFile", { chatId, fileId: id })}`;
}
