/** What a call of the client can fail with: one class per decision that the caller makes. */
import type { OperationName } from "#lib/chat-api/operations.ts";

export { ChatApiError } from "#lib/chat-api/errors.ts";

/**
 * - `unreachable`: no answer began (refused, reset, no such host, offline);
 * - `timeout`: an answer did not begin, or did not go on, in time;
 * - `cut`: an answer began and broke off.
 */
export type ConnectionFault = "unreachable" | "timeout" | "cut";

const connectionSentences: Record<ConnectionFault, string> = {
  unreachable: "The other side could not be reached.",
  timeout: "The other side did not answer in time.",
  cut: "The answer broke off.",
};

/**
 * No answer, or none that is whole: the outcome is unknown. Sending the same request with the same idempotency key
 * is right; the client has done so already as often as its retry policy allows.
 *
 * What `fetch` threw is not kept: its text can hold header values, and so the chat key.
 */
export class ChatConnectionError extends Error {
  readonly operation: OperationName;
  readonly fault: ConnectionFault;
  /** The system's word for it, such as `ECONNREFUSED`; browsers give none. */
  readonly systemCode: string | undefined;

  constructor(operation: OperationName, fault: ConnectionFault, systemCode?: string) {
    super(`${operation}: ${connectionSentences[fault]}${systemCode === undefined ? "" : ` (${systemCode})`}`);
    this.name = "ChatConnectionError";
    this.operation = operation;
    this.fault = fault;
    this.systemCode = systemCode;
  }
}

/**
 * A turn stream ended without `done` or `error`, and repeating it with the same key did not help: the outcome is
 * unknown (specification, "Events", rule 4). The reply may still come: send again with the same key, or list the messages.
 */
export class StreamInterruptedError extends Error {
  constructor(cause?: Error) {
    super("The reply was interrupted before its end.", cause === undefined ? undefined : { cause });
    this.name = "StreamInterruptedError";
  }
}

/**
 * - `redirect`: a 3xx answer, which the client never follows;
 * - `unreadable`: neither JSON nor an event stream;
 * - `too_large`: more than the client's limits;
 * - `shape`: JSON that is not the contract's;
 * - `sequence`: events in an order that the specification excludes.
 */
export type ContractFault = "redirect" | "unreadable" | "too_large" | "shape" | "sequence";

/** The other side does not speak the Chat API. The message holds no part of the answer. */
export class ContractError extends Error {
  readonly operation: OperationName;
  readonly fault: ContractFault;
  /** `X-Request-Id` of the answer, where it had one. */
  readonly requestId: string | undefined;

  constructor(operation: OperationName, fault: ContractFault, what: string, requestId: string | undefined) {
    super(`${operation}: ${what} (request ${requestId ?? "without an ID"})`);
    this.name = "ContractError";
    this.operation = operation;
    this.fault = fault;
    this.requestId = requestId;
  }
}

/** What a `fetch` of a server's own throws for an answer whose status a `Response` cannot have: below 200, above 599. */
export class UnusableStatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The answer has status ${status}.`);
    this.name = "UnusableStatusError";
    this.status = status;
  }
}
