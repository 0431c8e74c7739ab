/** The failure of a request as plain data, which can be stored and shown. */
import type { ChatMode } from "../chat-api/chat.ts";
import { ChatApiError, errorRules, type FailureCode } from "../chat-api/errors.ts";
import { ChatConnectionError, ContractError } from "../chat-client/errors.ts";

export type { FailureCode };

export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(errorRules, code);
}

export interface Failure {
  code: FailureCode;
  /** JSON pointer to the field of the request that is wrong; null if the server names none. */
  field: string | null;
  /** The ID that the customer can quote to the team. */
  requestId: string | null;
  retryAfterSeconds: number | null;
  /** When it happened, milliseconds since 1970: `retryAfterSeconds` counts from here, even after a reload. */
  at: number | null;
  /** Whether the message was in the list that was read because of the failure. Null if none was read. */
  isListed: boolean | null;
  /** The server's hint to a developer about a page whose origin it refuses; null on customers' pages. */
  hint: string | null;
  /** The chat's mode, if its messages were listed because of the failure; otherwise null. */
  mode: ChatMode | null;
}

const blank = {
  field: null,
  requestId: null,
  retryAfterSeconds: null,
  at: null,
  isListed: null,
  hint: null,
  mode: null,
};

export function failure(code: FailureCode, details: Partial<Omit<Failure, "code">> = {}): Failure {
  return { code, ...blank, ...details };
}

/** The server refuses this page's origin, and the page is a developer's. */
export class RefusedPageError extends ChatApiError {}

/**
 * The failure that describes an error of the client. Without a readable response it is `connection_lost`. The
 * chat reports each error that it does not know once.
 */
export type FailureOf = (error: unknown) => Failure;

/** @param report Receives unknown errors; by default the page's `reportError`. */
export function createFailureOf(report: (error: unknown) => void = (error) => reportError(error)): FailureOf {
  const reported = new WeakSet<Error>();
  return (error) => {
    const known = knownFailure(error);
    if (known !== null) return known;
    const unknown = failure("page_error", { at: Date.now() });
    if (error instanceof Error) {
      if (reported.has(error)) return unknown;
      reported.add(error);
    }
    try {
      report(error);
    } catch (thrown) {
      // The host's function failed, which must not stop what the caller does next.
      reportError(thrown);
    }
    return unknown;
  };
}

function knownFailure(error: unknown): Failure | null {
  const at = Date.now();
  if (error instanceof ChatApiError)
    return failure(error.code, {
      at,
      field: error.field ?? null,
      requestId: error.requestId ?? null,
      retryAfterSeconds: error.retryAfterSeconds ?? null,
      // `instanceof` is true for every `ChatApiError`, which checks a brand.
      hint: Object.getPrototypeOf(error) === RefusedPageError.prototype ? error.message : null,
    });
  if (error instanceof ContractError && error.kind !== "unreadable")
    return failure(isSentUnread(error) ? "operation_interrupted" : "internal_error", {
      at,
      requestId: error.requestId ?? null,
    });
  return isConnectionLost(error) ? failure("connection_lost", { at }) : null;
}

/** The message was accepted; its repetition would get the same response, which this code cannot read. */
const isSentUnread = ({ operation, kind }: ContractError) =>
  operation === "sendMessage" && kind !== "redirect";

function isConnectionLost(error: unknown): boolean {
  return (
    error instanceof ContractError ||
    error instanceof ChatConnectionError ||
    // `fetch` and `AbortSignal.timeout`.
    (error instanceof DOMException && (error.name === "AbortError" || error.name === "TimeoutError"))
  );
}

/** An hour in milliseconds: nobody waits longer before the chat asks again, whatever the server has said. */
export const longestPause = 3_600_000;

/** The wait that the server asked for, in milliseconds; null if it asked for none. */
export function askedWaitOf({ retryAfterSeconds }: Failure): number | null {
  return retryAfterSeconds === null ? null : Math.min(retryAfterSeconds * 1_000, longestPause);
}

/** When that wait ends, in milliseconds since 1970. */
export function askedUntil(failure: Failure): number | null {
  const wait = askedWaitOf(failure);
  return wait === null ? null : (failure.at ?? 0) + wait;
}
