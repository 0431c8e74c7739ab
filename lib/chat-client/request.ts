/** One call of an operation and its HTTP request. */
import { ChatApiError } from "../chat-api/errors.ts";
import { headerNames } from "../chat-api/headers.ts";
import { type Operation, type OperationIds, type OperationName, operations } from "../chat-api/operations.ts";
import { chatIdPattern, fileIdPattern, idempotencyKeyPattern } from "../chat-api/patterns.ts";
import type { ClientSettings } from "./options.ts";

export interface ReadCall {
  /** Aborting ends the call at once: a promise rejects with the signal's reason, a stream just ends. */
  signal?: AbortSignal | undefined;
}

export interface WriteCall extends ReadCall {
  /**
   * Identifies this request (docs/chat-api.md, "Idempotency"): 8 to 128 letters, digits or `. _ : -`. Only
   * the caller knows which requests are the same, so the client never generates one. Store it with the
   * request until the outcome is known.
   */
  idempotencyKey: string;
}

export interface Call {
  operation: OperationName;
  ids: OperationIds;
  accept: string;
  query?: URLSearchParams;
  body?: string | FormData | Uint8Array<ArrayBuffer>;
  /** The type of bytes only. A string is JSON, and only fetch knows a form's boundary. */
  contentType?: string | undefined;
  /** Present for writes. */
  idempotencyKey?: string;
  signal: AbortSignal | undefined;
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

/** Checks the result of the headers option. A frozen record with lower-case names counts as checked. */
function requireHeaders(headers: HeadersInit, { operation }: Call): Readonly<Record<string, string>> {
  if (Object.isFrozen(headers)) return headers as Readonly<Record<string, string>>;
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    // The platform's error quotes the value, which can be the chat key.
    throw new TypeError(`${operation}: the headers option gave a header that HTTP does not allow`);
  }
}

function headersOf(call: Call, own: HeadersInit): Record<string, string> {
  const headers: Record<string, string> = { ...requireHeaders(own, call), accept: call.accept };
  // Compression delays a stream, and hides the length of a file.
  if (call.accept !== "application/json") headers["accept-encoding"] = "identity";
  const contentType = typeof call.body === "string" ? "application/json" : call.contentType;
  if (contentType !== undefined) headers["content-type"] = contentType;
  else delete headers["content-type"];
  if (call.idempotencyKey !== undefined) headers[keyHeader] = call.idempotencyKey;
  return headers;
}

const keyHeader = headerNames.idempotencyKey.toLowerCase();

/** The options that the client passes to `fetch`. */
export interface AttemptInit extends RequestInit {
  method: Operation["method"];
  /** Names in lower case. */
  headers: Record<string, string>;
  body: NonNullable<Call["body"]> | null;
}

/**
 * The part of a `Response` that the client reads. A server's own transport creates nothing else: a web stream
 * for each body, and the objects of a `Response`, cost more than parsing the body.
 */
export interface Reply extends Pick<Response, "status" | "type"> {
  readonly headers: Pick<Headers, "get"> & Iterable<[string, string]>;
  readonly body: { getReader(): BodyReader } | null;
}

export type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

export async function buildRequest(
  call: Call,
  settings: ClientSettings,
): Promise<AttemptInit & { address: string }> {
  const base = String(settings.url(call.operation, call.ids));
  const query = call.query?.toString() ?? "";
  return {
    address: query === "" ? base : `${base}${base.includes("?") ? "&" : "?"}${query}`,
    method: operations[call.operation].method,
    headers: headersOf(call, await settings.headers(call.operation)),
    body: call.body ?? null,
    // Following a redirect would send the key and the body elsewhere.
    redirect: "manual",
    cache: "no-store",
  };
}
