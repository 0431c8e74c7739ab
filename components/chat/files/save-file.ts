import { ChatApiError, isErrorCode } from "../../../lib/chat-api/errors.ts";
import type { File } from "../../../lib/chat-api/file.ts";
import { savedFilename } from "../../../lib/chat-api/file-names.ts";
import { ChatConnectionError } from "../../../lib/chat-client/errors.ts";
import { clientHeaders } from "../../../lib/engine/identity/client-headers.ts";
import { shownName } from "../../../lib/engine/uploads/attachments.ts";
import { fileAddress } from "./file-address.ts";

/** Requests the file's bytes. Rejects as the client does. */
export async function requestFile(api: string, file: File): Promise<Response> {
  const response = await fetch(fileAddress(api, file), { headers: clientHeaders }).catch(() => {
    throw new ChatConnectionError("downloadFile", "unreachable");
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}

/**
 * Saves the file on the customer's device, named `otherwise` if it has no name. Rejects like `requestFile`.
 */
export async function saveFile(api: string, file: File, otherwise: string): Promise<void> {
  const response = await requestFile(api, file);
  const bytes = await response.blob().catch(() => {
    throw new ChatConnectionError("downloadFile", "cut");
  });
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

async function errorOf(response: Response): Promise<ChatApiError> {
  const body: { error?: { code?: unknown } } = await response.json().catch(() => ({}));
  const code = body.error?.code;
  return new ChatApiError(typeof code === "string" && isErrorCode(code) ? code : "internal_error");
}
