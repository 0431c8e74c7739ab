import type { File } from "../../../lib/chat-api/file.ts";
import { operationPath } from "../../../lib/chat-api/operations.ts";

/** URL of the file's bytes on the chat server, which checks that this customer may read them. */
export function fileAddress(api: string, { chatId, id }: File): string {
  return `${api}${operationPath("downloadFile", { chatId, fileId: id })}`;
}
