import { ChatApiError, isErrorCode } from "../../chat-api/errors.ts";
import { ChatConnectionError } from "../../chat-client/errors.ts";
import type { Fetch } from "../../chat-client/fetch-exchange.ts";
import { clientHeaders } from "../identity/client-headers.ts";

/** Requests the file's bytes. Rejects as the client does. */
async function requestFile(send: Fetch, address: string): Promise<Response> {
  const response = await send(address, { headers: clientHeaders }).catch(() => {
    throw new ChatConnectionError("downloadFile", "unreachable");
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** Reads the file's bytes. Rejects as the client does. */
export async function readFile(send: Fetch, address: string): Promise<Blob> {
  const response = await requestFile(send, address);
  return response.blob().catch(() => {
    throw new ChatConnectionError("downloadFile", "cut");
  });
}

/** Why a file cannot be loaded: true if the server no longer has it. Never rejects. */
export async function isFileGone(send: Fetch, address: string): Promise<boolean> {
  try {
    const { body } = await requestFile(send, address);
    await body?.cancel();
    return false;
  } catch (error) {
    if (!(error instanceof ChatApiError)) return false;
    return error.code === "file_not_found" || error.code === "chat_not_found";
  }
}

async function errorOf(response: Response): Promise<ChatApiError> {
  const body: { error?: { code?: unknown } } = await response.json().catch(() => ({}));
  const code = body.error?.code;
  return new ChatApiError(typeof code === "string" && isErrorCode(code) ? code : "internal_error");
}
