import { ChatApiError, isErrorCode } from "#lib/chat-api/errors.ts";
import type { File } from "#lib/chat-api/file.ts";
import { shownName } from "#lib/conversation/attachments.ts";
import { clientHeaders } from "../runtime/session.ts";
import { fileAddress } from "./file-address.ts";

/** Asks for the file's bytes. Rejects with ChatApiError when the server refuses them. */
export async function requestFile(file: File): Promise<Response> {
  const response = await fetch(fileAddress(file), { headers: clientHeaders });
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** Saves the file on the customer's device. Rejects like `requestFile`. */
export async function saveFile(file: File): Promise<void> {
  const response = await requestFile(file);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = shownName(file.filename);
  link.click();
  // The browser has begun to read it; the address is not needed for the rest.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function errorOf(response: Response): Promise<ChatApiError> {
  const body: { error?: { code?: unknown } } = await response.json().catch(() => ({}));
  const code = body.error?.code;
  return new ChatApiError(typeof code === "string" && isErrorCode(code) ? code : "internal_error");
}
