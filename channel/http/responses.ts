/** Responses and their headers; the errors of requests as responses (docs/chat-api.md, "Error codes"). */
import { bodyOfError, ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames, rateLimitHeaders } from "#lib/chat-api/headers.ts";
import { operationContracts } from "#lib/chat-api/operation-contracts.ts";
import type { OperationName } from "#lib/chat-api/operations.ts";
import { retryAfterSeconds } from "../channel-limits.ts";
import { secondsUntil } from "../core.ts";
import { isDatabaseUnavailable } from "../db/database-errors.ts";
import type { RateState } from "../settings/rate-limit.ts";

export function json(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

/** 201 for the first execution, 200 for a replay (docs/chat-api.md, "Idempotency"). */
export function created(item: unknown, isReplay = false): Response {
  return json(isReplay ? 200 : 201, { item });
}

/** Headers of every response. Most contain personal data: caches may store one only if its route says so. */
export function setCommonHeaders(headers: Headers, requestId: string): void {
  headers.set(headerNames.requestId, requestId);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  headers.set("x-content-type-options", "nosniff");
}

/** Integers; the reset is in seconds from now. */
export function setRateHeaders(headers: Headers, rate: RateState, now: Date): void {
  headers.set(rateLimitHeaders.limit, String(rate.limit));
  headers.set(rateLimitHeaders.remaining, String(rate.remaining));
  headers.set(rateLimitHeaders.reset, String(secondsUntil(rate.resetAt, now)));
}

/**
 * Maps an unexpected error to the error to answer. While the database is down, operations that may answer
 * `service_unavailable` do so. The others answer `internal_error`: after both, clients repeat the same
 * request with the same key.
 */
export function asChatApiError(error: unknown, operation: OperationName | undefined): ChatApiError {
  if (error instanceof ChatApiError) return withDelay(error);
  const codes: readonly string[] = operation === undefined ? [] : operationContracts[operation].errors;
  const isUnavailable = isDatabaseUnavailable(error) && codes.includes("service_unavailable");
  return withDelay(
    new ChatApiError(isUnavailable ? "service_unavailable" : "internal_error", { cause: error }),
  );
}

/** Every 429 and 503 carries `Retry-After` (docs/chat-api.md, "General rules"). */
function withDelay(error: ChatApiError): ChatApiError {
  const { code, status, message, field, cause } = error;
  if ((status !== 429 && status !== 503) || error.retryAfterSeconds !== undefined) return error;
  const { default: usual, chat_limit_reached: full } = retryAfterSeconds;
  const delay = code === "chat_limit_reached" ? full : usual;
  return new ChatApiError(code, { message, field, retryAfterSeconds: delay, cause });
}

export function errorResponse(error: ChatApiError, requestId: string, allow?: string): Response {
  const response = Response.json(bodyOfError(error, requestId), { status: error.status });
  setCommonHeaders(response.headers, requestId);
  if (error.retryAfterSeconds !== undefined)
    response.headers.set(headerNames.retryAfter, String(error.retryAfterSeconds));
  if (allow !== undefined) response.headers.set("allow", allow);
  return response;
}
