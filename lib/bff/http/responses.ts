/** Creates JSON responses, and adds the headers that all of the BFF's responses have. */
import { bodyOfError, type ChatApiError } from "../../chat-api/errors.ts";
import { headerNames } from "../../chat-api/headers.ts";
import { type OperationName, operations } from "../../chat-api/operations.ts";

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

/** Adds the common headers, of which a header that the route has set wins, and `own`, which win over both. */
export function withHeaders(response: Response, own: Readonly<Record<string, string>>): void {
  const { headers } = response;
  for (const [name, value] of Object.entries(apiHeaders)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
}

/** The response to HEAD. Its length is that of the body that GET would have. */
export function withoutBody(response: Response): Response {
  void response.body?.cancel();
  return new Response(null, response);
}

/** A response whose whole body is known, with its length. */
export function wholeResponse(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Response {
  const length = { "Content-Length": String(Buffer.byteLength(body)) };
  return new Response(body, { status, headers: { ...length, ...headers } });
}

export function jsonResponse(
  status: number,
  body: object,
  headers?: Readonly<Record<string, string>>,
): Response {
  return wholeResponse(JSON.stringify(body), { "Content-Type": "application/json", ...headers }, status);
}

/** A replay answers 200 (docs/chat-api.md, "Idempotency"). */
export function writeStatus(operation: OperationName, replayed: boolean): number {
  return replayed ? 200 : operations[operation].status;
}

export function writeResponse(
  operation: OperationName,
  { item, replayed }: { item: object; replayed: boolean },
): Response {
  return jsonResponse(writeStatus(operation, replayed), { item });
}

export function errorResponse(error: ChatApiError, requestId: string): Response {
  const { status, retryAfterSeconds } = error;
  // Every 429 and 503 has a `Retry-After` (docs/chat-api.md, "General rules").
  const wait = retryAfterSeconds ?? (status === 429 || status === 503 ? 1 : undefined);
  const headers: Record<string, string> =
    wait === undefined ? {} : { [headerNames.retryAfter]: String(Math.ceil(wait)) };
  return jsonResponse(status, bodyOfError(error, requestId), headers);
}
