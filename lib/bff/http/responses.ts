/** Creates JSON responses, and adds the headers that all of the BFF's responses have. */
import { bodyOfError, type ChatApiError } from "../../chat-api/errors.ts";
import { headerNames } from "../../chat-api/headers.ts";
import { type OperationName, operations } from "../../chat-api/operations.ts";
import type { ChatResponse } from "../transport/chat-response.ts";

/**
 * Headers of the chat's responses, unless a route sets others: never stored, framed, sniffed, embedded
 * elsewhere or executed. `Strict-Transport-Security` concerns the whole domain, so only the host sets it.
 */
export const apiHeaders: Readonly<Record<string, string>> = {
  "Cache-Control": "private, no-store",
  "Content-Security-Policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** Adds the common headers. A header that the route has set wins. */
export function finishResponse(
  { status, headers, body }: ChatResponse,
  { requestId, scopeHeaders }: { requestId: string; scopeHeaders: Readonly<Record<string, string>> },
): ChatResponse {
  const all = { ...apiHeaders, ...headers, ...scopeHeaders, [headerNames.requestId]: requestId };
  return { status, headers: all, body };
}

/** The response to HEAD. Its length is that of the body that GET would have. */
export function withoutBody({ status, headers, body }: ChatResponse): ChatResponse {
  const isSized = typeof body === "string" || body instanceof Uint8Array;
  const length: Record<string, string> = isSized ? { "Content-Length": String(Buffer.byteLength(body)) } : {};
  return { status, headers: { ...headers, ...length }, body: null };
}

export function jsonResponse(
  status: number,
  body: object,
  headers?: Readonly<Record<string, string>>,
): ChatResponse {
  return { status, headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** A replay answers 200 (docs/chat-api.md, "Idempotency"). */
export function writeStatus(operation: OperationName, replayed: boolean): number {
  return replayed ? 200 : operations[operation].status;
}

export function writeResponse(
  operation: OperationName,
  { item, replayed }: { item: object; replayed: boolean },
): ChatResponse {
  return jsonResponse(writeStatus(operation, replayed), { item });
}

export function errorResponse(error: ChatApiError, requestId: string): ChatResponse {
  const { status, retryAfterSeconds } = error;
  // Every 429 and 503 has a `Retry-After` (docs/chat-api.md, "General rules").
  const wait = retryAfterSeconds ?? (status === 429 || status === 503 ? 1 : undefined);
  const headers: Record<string, string> =
    wait === undefined ? {} : { [headerNames.retryAfter]: String(Math.ceil(wait)) };
  return jsonResponse(status, bodyOfError(error, requestId), headers);
}
