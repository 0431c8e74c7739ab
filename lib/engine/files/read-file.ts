import { ChatApiError } from "../../chat-api/errors.ts";
import type { Fetch } from "../../chat-client/connection.ts";
import { ChatConnectionError } from "../../chat-client/errors.ts";
import { request } from "../identity/request.ts";

/** Reads the file's bytes. Rejects as the client does. */
export async function readFile(send: Fetch, address: string): Promise<Blob> {
  const response = await request(send, address, { like: "downloadFile" });
  return response.blob().catch(() => {
    throw new ChatConnectionError("downloadFile", "cut");
  });
}

/** Why a file cannot be loaded: true if the server no longer has it. Never rejects. */
export async function isFileGone(send: Fetch, address: string): Promise<boolean> {
  try {
    const { body } = await request(send, address, { like: "downloadFile" });
    await body?.cancel();
    return false;
  } catch (error) {
    const ends = error instanceof ChatApiError ? error.rule.ends : null;
    return ends === "file" || ends === "gone";
  }
}
