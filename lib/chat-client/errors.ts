/** The errors of a client call: one class per decision that the caller makes. */
import type { OperationName } from "../chat-api/operations.ts";

export { ChatApiError } from "../chat-api/errors.ts";

/**
 * - `unreachable`: no response began (refused, reset, no such host, offline);
 * - `timeout`: a response did not begin or continue in time;
 * - `cut`: a response was truncated.
 */
export type ConnectionErrorKind = "unreachable" | "timeout" | "cut";

const connectionSentences: Record<ConnectionErrorKind, string> = {
  unreachable: "The server could not be reached.",
  timeout: "The server did not respond in time.",
  cut: "The response was cut off.",
};

/**
 * No complete response, or a turn stream without `done` and `error`: the outcome is unknown. Send the same
 * request with the same idempotency key; the client has already done so as often as its retry policy allows.
 *
 * The error of `fetch` is not kept: its text can contain header values and so the chat key.
 */
export class ChatConnectionError extends Error {
  readonly operation: OperationName;
  readonly kind: ConnectionErrorKind;
  /** The system's error code, such as `ECONNREFUSED`; browsers have none. */
  readonly systemCode: string | undefined;

  constructor(operation: OperationName, kind: ConnectionErrorKind, systemCode?: string) {
    super(`${operation}: ${connectionSentences[kind]}${systemCode === undefined ? "" : ` (${systemCode})`}`);
    this.name = "ChatConnectionError";
    this.operation = operation;
    this.kind = kind;
    this.systemCode = systemCode;
  }
}

/**
 * - `redirect`: a redirect, which the client never follows;
 * - `unreadable`: neither JSON nor an event stream, or a status that no operation has;
 * - `too_large`: beyond the client's limits;
 * - `shape`: JSON that does not match the contract;
 * - `sequence`: events in an order that the specification excludes.
 */
export type ContractErrorKind = "redirect" | "unreadable" | "too_large" | "shape" | "sequence";

/** The server does not speak the Chat API. The message contains no part of the response. */
export class ContractError extends Error {
  readonly operation: OperationName;
  readonly kind: ContractErrorKind;
  /** `X-Request-Id` of the response, if it had one. */
  readonly requestId: string | undefined;

  constructor(
    operation: OperationName,
    kind: ContractErrorKind,
    what: string,
    requestId: string | undefined,
  ) {
    super(`${operation}: ${what} (request ${requestId ?? "without an ID"})`);
    this.name = "ContractError";
    this.operation = operation;
    this.kind = kind;
    this.requestId = requestId;
  }
}
