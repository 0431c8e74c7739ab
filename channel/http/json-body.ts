/** Enforces the type and the encoding of JSON bodies (docs/chat-api.md, "General rules"). */
import { ChatApiError } from "#lib/chat-api/errors.ts";

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
