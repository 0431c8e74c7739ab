/** What went wrong with a request, as plain data that can be stored, broadcast to other tabs and shown. */
import { ChatApiError, type ErrorCode, isErrorCode } from "#lib/chat-api/errors.ts";
import { ContractError } from "#lib/chat-client/errors.ts";

/**
 * The codes of the API and the BFF, and two that no server can send: nothing came back, so the outcome is unknown; and
 * the message lay here for so long that the customer is asked before it goes out.
 */
export type FailureCode = ErrorCode | "connection_lost" | "outdated";

export function isFailureCode(code: string): code is FailureCode {
  return code === "connection_lost" || code === "outdated" || isErrorCode(code);
}

export interface Failure {
  code: FailureCode;
  /** JSON pointer to the request's field at fault. */
  field: string | null;
  /** What to quote when asking about it. */
  requestId: string | null;
  retryAfterSeconds: number | null;
  /** After the messages were listed because of it: whether this one was among them. Null when nobody looked. */
  isListed: boolean | null;
}

export function failure(code: FailureCode, details: Partial<Omit<Failure, "code">> = {}): Failure {
  return { code, field: null, requestId: null, retryAfterSeconds: null, isListed: null, ...details };
}

/** Without a readable answer of the other side nobody knows whether the request arrived. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ContractError)
    return failure("internal_error", { requestId: error.requestId ?? null });
  if (!(error instanceof ChatApiError)) return failure("connection_lost");
  return failure(error.code, {
    field: error.field ?? null,
    requestId: error.requestId ?? null,
    retryAfterSeconds: error.retryAfterSeconds ?? null,
  });
}
