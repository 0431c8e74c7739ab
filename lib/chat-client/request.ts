/** One call of an operation, and the HTTP request of it. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { type OperationIds, type OperationName, operations } from "#lib/chat-api/operations.ts";
import { chatIdPattern, fileIdPattern, idempotencyKeyPattern } from "#lib/chat-api/patterns.ts";
import type { ClientSettings } from "./options.ts";
import type { AttemptError } from "./retry-policy.ts";

export interface Repetition {
  /** What the attempt before failed with. */
  error: AttemptError;
  /** Milliseconds until the request is sent again. */
  delay: number;
  /** 1 for the first repetition. */
  number: number;
}

export interface ReadCall {
  /** Aborting ends the call at once: a promise rejects with the signal's reason, a stream ends quietly. */
  signal?: AbortSignal | undefined;
  /** Called before each wait that leads to a repetition. */
  onRetry?: ((repetition: Repetition) => void) | undefined;
}

export interface WriteCall extends ReadCall {
  /**
   * Names this request (specification, "General rules", 5): 8 to 128 letters, digits or `. _ : -`. Only the caller
   * knows what "the same request" is, so the client never makes one up. It must be kept, with the request, until
   * the outcome is known.
   */
  idempotencyKey: string;
}

export interface Call {
  operation: OperationName;
  ids: OperationIds;
  accept: string;
  query?: URLSearchParams;
  body?: string | FormData | Uint8Array<ArrayBuffer>;
  /** Of bytes. A text is JSON, and the boundary of a form is known to fetch alone. */
  contentType?: string;
  /** Present for writes. */
  idempotencyKey?: string;
  signal: AbortSignal | undefined;
  onRetry: ReadCall["onRetry"];
}

/**
 * @throws ChatApiError `invalid_id`, as the Chat API would: `..` in an ID would name another address.
 * @throws TypeError for a missing or malformed idempotency key, without showing it.
 */
export function checkCall(call: Call): void {
  const { chatId, fileId } = call.ids;
  if (chatId !== undefined && !chatIdPattern.test(chatId)) throw new ChatApiError("invalid_id");
  if (fileId !== undefined && !fileIdPattern.test(fileId)) throw new ChatApiError("invalid_id");
  if (operations[call.operation].writes && !idempotencyKeyPattern.test(call.idempotencyKey ?? "")) {
    throw new TypeError(`${call.operation} needs an idempotencyKey of 8 to 128 letters, digits or . _ : -`);
  }
}

async function buildHeaders(call: Call, settings: ClientSettings): Promise<Headers> {
  const given = await settings.headers(call.operation);
  let headers: Headers;
  try {
    headers = new Headers(given);
  } catch {
    // The platform's error quotes the value, which can be the chat key.
    throw new TypeError(`${call.operation}: the headers option gave a header that HTTP does not allow`);
  }
  headers.set("accept", call.accept);
  // A compressed stream is delayed, and a file's length would be that of its compressed form.
  if (call.accept !== "application/json") headers.set("accept-encoding", "identity");
  const contentType = typeof call.body === "string" ? "application/json" : call.contentType;
  if (contentType !== undefined) headers.set("content-type", contentType);
  else headers.delete("content-type");
  if (call.idempotencyKey !== undefined) headers.set(headerNames.idempotencyKey, call.idempotencyKey);
  return headers;
}

export interface HttpRequest {
  address: string;
  init: RequestInit;
}

export async function buildRequest(call: Call, settings: ClientSettings): Promise<HttpRequest> {
  const base = String(settings.url(call.operation, call.ids));
  const query = call.query?.toString() ?? "";
  return {
    address: query === "" ? base : `${base}${base.includes("?") ? "&" : "?"}${query}`,
    init: {
      method: operations[call.operation].method,
      headers: await buildHeaders(call, settings),
      ...(call.body === undefined ? {} : { body: call.body }),
      // A redirect would carry the key, and the body, elsewhere.
      redirect: "manual",
      cache: "no-store",
    },
  };
}
