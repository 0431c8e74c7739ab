/** Reads the Error resource (specification, "Error"; "Errors"), however little of it there is. */
import { ChatApiError, type ErrorCode, isErrorCode } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import type { OperationName } from "#lib/chat-api/operations.ts";
import { isRecord } from "./plain-parser.ts";
import { readRetryAfter } from "./retry-after.ts";

/** What a 410 speaks of, where it is not the chat. */
const goneCodes: Partial<Record<OperationName, ErrorCode>> = {
  createChat: "idempotency_resource_gone",
  listMessages: "cursor_expired",
  downloadFile: "file_not_found",
};

/** Of an answer without a code that is known here, the code whose treatment comes nearest to its status. */
function codeOfStatus(status: number | undefined, operation: OperationName): ErrorCode {
  switch (status) {
    case undefined:
      return "internal_error";
    case 401:
      return "invalid_api_key";
    case 403:
      return "channel_disabled";
    case 404:
      return "not_found";
    case 405:
      return "method_not_allowed";
    case 406:
      return "unsupported_accept";
    case 408:
    case 425:
      return "service_unavailable";
    case 409:
      // The cautious reading of an unknown conflict: "Result unknown. List messages before sending anything new."
      return "operation_interrupted";
    case 410:
      return goneCodes[operation] ?? "chat_not_found";
    case 413:
      return "payload_too_large";
    case 415:
      return "unsupported_media_type";
    case 429:
      return "rate_limited";
    case 500:
      return "internal_error";
    default:
      return status > 500 ? "service_unavailable" : "invalid_request";
  }
}

const requestIdPattern = /^[\x21-\x7e]{1,200}$/;
const pointerPattern = /^(?:\/[^\p{C}]{0,500})?$/u;
const codePattern = /^[a-z0-9_]{1,64}$/;

/** The answer's `X-Request-Id`, where it is fit to be shown and logged. */
export function readRequestId(headers: Headers): string | undefined {
  return matching(headers.get(headerNames.requestId), requestIdPattern);
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

export interface ErrorContext {
  operation: OperationName;
  /** Absent for an `error` event inside a stream. */
  status?: number;
  headers: Headers;
}

/**
 * The other side's error as one of ours. Its sentence is not taken over: it may change, and it is foreign text that
 * would reach logs.
 */
export function toChatApiError(body: unknown, { operation, status, headers }: ErrorContext): ChatApiError {
  const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
  const code = matching(error["code"], codePattern);
  const details = {
    requestId: matching(error["requestId"], requestIdPattern) ?? readRequestId(headers),
    field: matching(error["field"], pointerPattern),
    retryAfterSeconds: readRetryAfter(headers, error["retryAfterSeconds"]),
  };
  if (code !== undefined && isErrorCode(code)) return new ChatApiError(code, details);
  const where = status === undefined ? "in the stream" : `with status ${status}`;
  const what = code === undefined ? "no error code" : `the unknown error code ${code}`;
  return new ChatApiError(codeOfStatus(status, operation), {
    ...details,
    unspecified: true,
    message: `The other side gave ${what} ${where}.`,
  });
}
