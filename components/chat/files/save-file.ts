import { savedFilename } from "../../../lib/chat-api/file-types.ts";
import type { File } from "../../../lib/chat-api/message.ts";
import type { ChatEngine } from "../../../lib/engine/chat.ts";
import { shownName } from "../../../lib/engine/shown.ts";

/** Saves the file on the customer's device, named `otherwise` if it has no name. Rejects like `readFile`. */
export async function saveFile(
  chat: Pick<ChatEngine, "readFile">,
  file: File,
  otherwise: string,
): Promise<void> {
  const bytes = await chat.readFile(file);
  saveBlob(bytes, savedFilename(shownName(file.filename, otherwise), bytes.type));
}

export function saveBlob(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // By then the browser has begun to read the blob and no longer needs its URL.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
