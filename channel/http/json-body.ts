/**
 * Reads JSON bodies and enforces their type, encoding and size (docs/chat-api.md, "General rules", "Limits").
 */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { bodyPieces, bodyReader } from "./request-body.ts";

/** Maximum number of bytes read of an oversized body, for clients that read only after they have written. */
const drainedBytes = 16 * 1024 * 1024;

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

/**
 * @throws ChatApiError `payload_too_large` as soon as the length is known to exceed the limit, and the errors
 * of `bodyPieces`
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  // A declared length above the limit is refused without reading.
  if (Number(request.headers.get("content-length")) > maxBytes) throw new ChatApiError("payload_too_large");
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = bodyReader(request);
  for await (const chunk of bodyPieces(request, reader)) {
    length += chunk.byteLength;
    if (length <= maxBytes) chunks.push(chunk);
    else if (length > drainedBytes) break;
  }
  if (length > drainedBytes) await reader.cancel();
  if (length > maxBytes) throw new ChatApiError("payload_too_large");
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
