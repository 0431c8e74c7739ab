/** Responses of the BFF: made here, never copied from what the Chat API answered. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { type OperationName, operations } from "#lib/chat-api/operations.ts";

/** On every answer of `/api`. Nothing of it may be stored, framed, sniffed, embedded elsewhere or run. */
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

const hstsHeader = "max-age=31536000; includeSubDomains";

/** Adds what every answer carries. A header that the route has set itself wins. */
export function finishResponse(response: Response, requestId: string, secure: boolean): Response {
  for (const [name, value] of Object.entries(apiHeaders)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (secure) response.headers.set("Strict-Transport-Security", hstsHeader);
  response.headers.set(headerNames.requestId, requestId);
  return response;
}

export function jsonResponse(status: number, body: object, headers: HeadersInit = {}): Response {
  return Response.json(body, { status, headers });
}

/** Specification, "General rules", 5: a replay answers 200. */
export function writeStatus(operation: OperationName, replayed: boolean): number {
  return replayed ? 200 : operations[operation].status;
}

export function emptyResponse(headers: HeadersInit = {}): Response {
  return new Response(null, { status: 204, headers });
}

export function errorResponse(error: ChatApiError, requestId: string): Response {
  const { status, retryAfterSeconds } = error;
  const headers = new Headers();
  if (retryAfterSeconds !== undefined)
    headers.set(headerNames.retryAfter, String(Math.ceil(retryAfterSeconds)));
  // Specification, "General rules", 4: every 429 and 503 says when to come back.
  else if (status === 429 || status === 503) headers.set(headerNames.retryAfter, "1");
  return jsonResponse(status, error.toBody(requestId), headers);
}

export function methodNotAllowed(allowed: readonly string[], requestId: string): Response {
  const response = errorResponse(new ChatApiError("method_not_allowed"), requestId);
  response.headers.set("Allow", allowed.join(", "));
  return response;
}
