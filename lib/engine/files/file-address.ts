import type { File } from "../../chat-api/file.ts";
import { operationPath } from "../../chat-api/operations.ts";

/** URL of the file's bytes on the chat server, which checks that this customer may read them. */
export function fileAddress(api: string, { chatId, id }: Pick<File, "chatId" | "id">): string {
  return `${api}${operationPath("downloadFile", { chatId, fileId: id })}`;
}
