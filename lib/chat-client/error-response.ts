/** Reads the Error resource (docs/chat-api.md, "Error codes"), even an incomplete one. */
import { ChatApiError, type ErrorCode, isErrorCode } from "../chat-api/errors.ts";
import { headerNames } from "../chat-api/headers.ts";
import type { OperationName } from "../chat-api/operations.ts";
import { isRecord } from "./parser.ts";

/** The code of a 410 response without one, where it is not `chat_not_found`. */
const goneCodes: Partial<Record<OperationName, ErrorCode>> = {
  createChat: "idempotency_resource_gone",
  listMessages: "cursor_expired",
  downloadFile: "file_not_found",
};

/** The code that fits the status of a response without a known code best. */
const codesByStatus: Partial<Record<number, ErrorCode>> = {
  401: "invalid_api_key",
  403: "channel_disabled",
  404: "not_found",
  405: "method_not_allowed",
  406: "unsupported_accept",
  408: "service_unavailable",
  // The cautious interpretation of an unknown conflict: it makes the caller list the messages before sending
  // anything new.
  409: "operation_interrupted",
  413: "payload_too_large",
  415: "unsupported_media_type",
  425: "service_unavailable",
  429: "rate_limited",
  500: "internal_error",
};

function codeOfStatus(status: number, operation: OperationName): ErrorCode {
  if (status === 410) return goneCodes[operation] ?? "chat_not_found";
  // A proxy may have passed the request on, so its outcome is unknown.
  return codesByStatus[status] ?? (status > 500 ? "upstream_unreachable" : "invalid_request");
}

const requestIdPattern = /^[\x21-\x7e]{1,200}$/;
const pointerPattern = /^(?:\/[^\p{C}]{0,500})?$/u;
const codePattern = /^[a-z0-9_]{1,64}$/;

/** The response's `X-Request-Id` if it is safe to show and log. */
export function readRequestId(headers: Pick<Headers, "get">): string | undefined {
  return matching(headers.get(headerNames.requestId), requestIdPattern);
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

export interface ErrorContext {
  operation: OperationName;
  /** Absent for an `error` event inside a stream. */
  status?: number;
  headers: Pick<Headers, "get">;
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
  return new ChatApiError(status === undefined ? "internal_error" : codeOfStatus(status, operation), {
    ...details,
    unspecified: true,
    message: `The server gave ${what} ${where}.`,
  });
}

/** The longest wait: then one request asks again, whatever the server has said. */
const longestSeconds = 60 * 60;
/** The wait for an unreadable value: a wait is requested, but its length is unknown. */
const unreadableSeconds = 1;

const wholeNumber = /^[0-9]+$/;
/**
 * RFC 9110, section 5.6.7: the preferred format and the two obsolete ones that recipients must accept. All
 * begin with a weekday.
 */
const httpDate = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? .*[0-9]/;

function headerSeconds(value: string, sentAt: number): number {
  if (wholeNumber.test(value)) return Number(value);
  if (!httpDate.test(value)) return unreadableSeconds;
  const time = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(time) ? unreadableSeconds : Math.max(0, (time - sentAt) / 1000);
}

function bodySeconds(value: unknown): number {
  return typeof value === "number" && value >= 0 ? value : unreadableSeconds;
}

/**
 * Whole seconds to wait, from `Retry-After` (seconds or a date) and `error.retryAfterSeconds`: the larger of
 * the two, of which an unreadable one counts as 1; undefined if both are absent.
 */
export function readRetryAfter(headers: Pick<Headers, "get">, inBody: unknown): number | undefined {
  const seconds: number[] = [];
  const header = headers.get("retry-after")?.trim();
  if (header !== undefined) {
    // Counting from the response's own date makes a wrong local clock harmless.
    const sentAt = Date.parse(headers.get("date") ?? "");
    seconds.push(headerSeconds(header, Number.isNaN(sentAt) ? Date.now() : sentAt));
  }
  if (inBody !== undefined && inBody !== null) seconds.push(bodySeconds(inBody));
  if (seconds.length === 0) return undefined;
  return Math.min(longestSeconds, Math.ceil(Math.max(...seconds)));
}
