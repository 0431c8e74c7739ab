/** Reads the Error resource (docs/chat-api.md, "Error codes"), even an incomplete one. */
import { ChatApiError, type ErrorCode, isErrorCode } from "../chat-api/errors.ts";
import { headerNames } from "../chat-api/headers.ts";
import type { OperationName } from "../chat-api/operations.ts";
import { isRecord } from "./plain-parser.ts";
import { readRetryAfter } from "./retry-after.ts";

/** The code of a 410 response without one, where it is not `chat_not_found`. */
const goneCodes: Partial<Record<OperationName, ErrorCode>> = {
  createChat: "idempotency_resource_gone",
  listMessages: "cursor_expired",
  downloadFile: "file_not_found",
};

/** The code that fits the status of a response without a known code best. */
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
      // The cautious interpretation of an unknown conflict: it makes the caller list the messages before
      // sending anything new.
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

/** The response's `X-Request-Id` if it is safe to show and log. */
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
 * The server's error as a ChatApiError. Its message is dropped: it may change, and it is foreign text
 * that would reach logs.
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
    message: `The server gave ${what} ${where}.`,
  });
}
