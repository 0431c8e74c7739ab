/** The one place of the channel that turns errors into responses (specification, "Errors"). */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { type OperationName, operations } from "#lib/chat-api/operations.ts";
import { isDatabaseUnavailable } from "../db/database-errors.ts";
import { retryAfterSeconds } from "../limits.ts";

/**
 * What the caller is told of a fault that nobody foresaw. While the database is away, operations that may answer so say
 * `service_unavailable`; for all others it is `internal_error`, which means the same: the same request, the same key.
 */
export function asChatApiError(error: unknown, operation: OperationName | undefined): ChatApiError {
  if (error instanceof ChatApiError) return withDelay(error);
  const codes: readonly string[] = operation === undefined ? [] : operations[operation].errors;
  const isUnavailable = isDatabaseUnavailable(error) && codes.includes("service_unavailable");
  return withDelay(
    new ChatApiError(isUnavailable ? "service_unavailable" : "internal_error", { cause: error }),
  );
}

/** Specification, "General rules", 4: every 429 and every 503 says when to come again. */
function withDelay(error: ChatApiError): ChatApiError {
  if ((error.status !== 429 && error.status !== 503) || error.retryAfterSeconds !== undefined) return error;
  return new ChatApiError(error.code, {
    message: error.message,
    field: error.field,
    retryAfterSeconds: retryAfterSeconds.service_unavailable,
    cause: error.cause,
  });
}

export function errorResponse(error: ChatApiError, requestId: string, allow?: string): Response {
  const response = Response.json(error.toBody(requestId), { status: error.status });
  if (error.retryAfterSeconds !== undefined)
    response.headers.set(headerNames.retryAfter, String(error.retryAfterSeconds));
  if (allow !== undefined) response.headers.set("allow", allow);
  return response;
}
