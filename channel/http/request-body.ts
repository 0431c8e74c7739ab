/** Checks the type of a request's body, reads it, enforces its size and detects a truncated one. */
import { ChatApiError } from "#lib/chat-api/errors.ts";

/** Maximum number of bytes read of an oversized body, for clients that read only after they have written. */
const drainedBytes = 64 * 1024 * 1024;

/** @throws ChatApiError as `readChunks` */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks = await readChunks(request, maxBytes);
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/**
 * The body as it arrived, for a reader that takes pieces.
 *
 * @throws ChatApiError `payload_too_large` once an oversized body has been read, or its first `drainedBytes`;
 *   `internal_error` for a truncated body, because a client behind a proxy may still read the response: after
 *   a refusal it would choose a new key, although an earlier attempt may have succeeded.
 */
export async function readChunks(request: Request, maxBytes: number): Promise<Uint8Array[]> {
  const declaredBytes = Number(request.headers.get("content-length"));
  if (declaredBytes > drainedBytes) throw new ChatApiError("payload_too_large");
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength;
      if (length <= maxBytes) chunks.push(chunk);
      else if (length > drainedBytes) break;
    }
  } catch (cause) {
    throw lostBody(cause);
  }
  if (length > maxBytes) throw new ChatApiError("payload_too_large");
  if (length < declaredBytes) throw lostBody(undefined);
  return chunks;
}

function lostBody(cause: unknown): ChatApiError {
  return new ChatApiError("internal_error", {
    message: "The body was truncated. Send the same request again.",
    cause,
  });
}

/** @throws ChatApiError `unsupported_media_type` unless the body is declared as JSON in UTF-8 */
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

/** Compressed bodies are refused: a few bytes could expand to gigabytes. */
export function requireNoEncoding(headers: Headers): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") {
    throw new ChatApiError("unsupported_media_type", { message: "Send the body without Content-Encoding." });
  }
}
