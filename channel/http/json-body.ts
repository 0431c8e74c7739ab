/** Reads JSON bodies (specification, "Endpoints"; "Errors", `unsupported_media_type`, `payload_too_large`). */
import { ChatApiError } from "#lib/chat-api/errors.ts";

/** How much of a body that is too large is still read, so that a client which only reads after writing gets the answer. */
const drainedBytes = 16 * 1024 * 1024;

/** @throws ChatApiError `unsupported_media_type` unless the body is said to be plain JSON in UTF-8. */
export function requireJsonType(headers: Headers): void {
  requireNoEncoding(headers);
  const [type = "", ...parameters] = (headers.get("content-type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (type !== "application/json" || !isUtf8) {
    throw new ChatApiError("unsupported_media_type", { message: "Send the body as application/json." });
  }
}

/** Compressed bodies are never unpacked: a few bytes could become gigabytes. */
export function requireNoEncoding(headers: Headers): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") {
    throw new ChatApiError("unsupported_media_type", { message: "Send the body without Content-Encoding." });
  }
}

/** @throws ChatApiError `payload_too_large` as soon as the length is known to be more; `invalid_request` where the body breaks off. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  // A length that is told is believed when it is too much: nothing needs to be read then.
  if (Number(request.headers.get("content-length")) > maxBytes) throw new ChatApiError("payload_too_large");
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength;
      if (length <= maxBytes) chunks.push(chunk);
      else if (length > drainedBytes) break;
    }
  } catch (cause) {
    // The client hung up: nobody's fault, and no one is there to be told.
    throw new ChatApiError("invalid_request", { message: "The body broke off.", cause });
  }
  if (length > maxBytes) throw new ChatApiError("payload_too_large");
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
