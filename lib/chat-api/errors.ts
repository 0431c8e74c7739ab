/**
 * The error codes of the Chat API (docs/chat-api.md, "Error codes") and of the BFF. The only place that
 * defines a code's status, whether the client retries, what the BFF does and which key comes next. Free of
 * zod, so that browser code may import it.
 */

/**
 * What a client does about a code automatically, without changing the request or the idempotency key:
 * - `after_delay`: waits (`Retry-After` if given), then sends the same request again;
 * - `never`: nothing; a person or other code must decide.
 */
export type RetryRule = "after_delay" | "never";

/**
 * What the BFF does with a code from the Chat API, after the retries that `retry` allows:
 * - `pass`: the browser gets the same status, code and field, a similar delay and the BFF's own sentence;
 * - `hide`: the error is the operator's, so the browser gets `chat_unavailable` instead;
 * - `breach`: impossible after the BFF's own checks: logged as a breach of the contract, and the browser gets
 *   `internal_error`.
 */
export type RelayRule = "pass" | "hide" | "breach";

/**
 * Whether the customer's next attempt uses the same idempotency key (`keep`: the first attempt may still
 * succeed, or nothing was stored under the key) or a `new` one.
 */
export type NextKey = "keep" | "new";

export interface ErrorRule {
  status: number;
  retry: RetryRule;
  relay: RelayRule;
  nextKey: NextKey;
}

const rule = (status: number, relay: RelayRule, nextKey: NextKey, retry: RetryRule = "never"): ErrorRule => ({
  status,
  retry,
  relay,
  nextKey,
});

const chatApiErrorRules = {
  invalid_json: rule(400, "breach", "new"),
  invalid_request: rule(400, "pass", "new"),
  invalid_id: rule(400, "breach", "new"),
  invalid_cursor: rule(400, "pass", "new"),
  invalid_submission: rule(400, "pass", "new"),
  unsupported_resume: rule(400, "breach", "keep"),
  invalid_api_key: rule(401, "hide", "keep"),
  origin_not_allowed: rule(403, "hide", "keep"),
  channel_disabled: rule(403, "hide", "keep"),
  workspace_suspended: rule(403, "hide", "keep"),
  not_found: rule(404, "hide", "keep"),
  chat_not_found: rule(404, "pass", "new"),
  file_not_found: rule(404, "pass", "new"),
  method_not_allowed: rule(405, "breach", "keep"),
  unsupported_accept: rule(406, "breach", "keep"),
  idempotency_conflict: rule(409, "pass", "new"),
  idempotency_key_expired: rule(409, "pass", "new"),
  turn_in_progress: rule(409, "pass", "keep"),
  operation_interrupted: rule(409, "pass", "new"),
  operation_superseded: rule(409, "pass", "new"),
  operation_capacity_reached: rule(409, "pass", "new"),
  chat_closed: rule(409, "pass", "new"),
  version_conflict: rule(409, "pass", "new"),
  file_not_ready: rule(409, "pass", "keep", "after_delay"),
  file_limit_reached: rule(409, "pass", "new"),
  file_storage_limit: rule(409, "pass", "new"),
  confirmation_required: rule(409, "pass", "new"),
  collection_incomplete: rule(409, "pass", "new"),
  cursor_expired: rule(410, "pass", "new"),
  idempotency_resource_gone: rule(410, "pass", "new"),
  payload_too_large: rule(413, "pass", "new"),
  unsupported_media_type: rule(415, "breach", "new"),
  unsupported_file: rule(415, "pass", "new"),
  rate_limited: rule(429, "pass", "keep", "after_delay"),
  capacity_limited: rule(429, "pass", "keep", "after_delay"),
  chat_limit_reached: rule(429, "pass", "keep"),
  internal_error: rule(500, "pass", "keep", "after_delay"),
  service_unavailable: rule(503, "pass", "keep", "after_delay"),
};

/** Codes that only the BFF returns. */
const bffErrorRules = {
  session_required: rule(401, "pass", "keep"),
  request_not_allowed: rule(403, "pass", "keep"),
  upstream_unreachable: rule(502, "pass", "keep", "after_delay"),
  chat_unavailable: rule(503, "pass", "keep"),
};

export type ChatApiErrorCode = keyof typeof chatApiErrorRules;
export type BffErrorCode = keyof typeof bffErrorRules;
export type ErrorCode = ChatApiErrorCode | BffErrorCode;

export const errorRules: Readonly<Record<ErrorCode, ErrorRule>> = { ...chatApiErrorRules, ...bffErrorRules };

/**
 * The sentences of error bodies. Clients act on the code; the sentence may change. Browsers have translated
 * texts instead and omit these: bundlers replace `typeof window` there.
 */
const sentences: Readonly<Partial<Record<ErrorCode, string>>> =
  typeof window === "undefined"
    ? ({
        invalid_json: "The body must be a JSON object.",
        invalid_request: "A field of the request is invalid.",
        invalid_id: "An ID in the path is malformed.",
        invalid_cursor: "The cursor is not one that was returned for this list.",
        invalid_submission: "The answers were not accepted. Read the collection and correct them.",
        unsupported_resume: "Streams cannot be resumed. Send the message again with the same key.",
        invalid_api_key: "The chat key is missing or wrong.",
        origin_not_allowed: "Calls from browsers are not allowed. Call from a server.",
        channel_disabled: "The agent is not published.",
        workspace_suspended: "The workspace is suspended.",
        not_found: "There is nothing at this path.",
        chat_not_found: "There is no such chat.",
        file_not_found: "There is no such file in this chat.",
        method_not_allowed: "This path does not take this method.",
        unsupported_accept: "Accept must allow application/json or text/event-stream.",
        idempotency_conflict: "This idempotency key was used for a different request.",
        idempotency_key_expired: "This idempotency key has been forgotten.",
        turn_in_progress: "Another turn in this chat is running.",
        operation_interrupted:
          "The operation was interrupted. List the messages before sending anything new.",
        operation_superseded: "The operation was superseded by another request.",
        operation_capacity_reached: "This chat cannot take more operations. Start a new chat.",
        chat_closed: "This chat is closed. Start a new chat.",
        version_conflict: "The collection has changed. Read it again.",
        file_not_ready: "The file is not usable yet. Upload it again with the same key.",
        file_limit_reached: "This chat cannot take more files.",
        file_storage_limit: "This chat's storage is full.",
        confirmation_required:
          "The confirmation is missing or stale. List the messages for the latest offer.",
        collection_incomplete: "The team needs more details first. Fill in the form.",
        cursor_expired: "The cursor has expired. Start the list again.",
        idempotency_resource_gone: "What this key created is gone.",
        payload_too_large: "The body is too large.",
        unsupported_media_type: "The body's type is not supported.",
        unsupported_file: "This type of file is not allowed.",
        rate_limited: "Too many requests. Wait, then send the same request again.",
        capacity_limited: "Too busy to start a chat. Wait, then try again.",
        chat_limit_reached: "The plan's limit of chats is reached.",
        internal_error: "Something went wrong. Send the same request again.",
        service_unavailable: "Temporarily unavailable. Send the same request again.",
        session_required: "There is no session. Start one.",
        request_not_allowed: "This request did not come from the shop's own pages.",
        upstream_unreachable: "The chat could not be reached. Send the same request again.",
        chat_unavailable: "The chat is not available right now.",
      } satisfies Record<ErrorCode, string>)
    : {};

/** The sentence for a code; in a browser's bundle the code itself. */
export function sentenceOf(code: ErrorCode): string {
  return sentences[code] ?? code;
}

/** The 38 codes of the specification. */
export const chatApiErrorCodes = /* @__PURE__ */ Object.keys(chatApiErrorRules) as ChatApiErrorCode[];
export const bffErrorCodes = /* @__PURE__ */ Object.keys(bffErrorRules) as BffErrorCode[];

/** Errors that every operation can return (docs/chat-api.md, "Error codes"). */
export const globalErrorCodes = [
  "invalid_id",
  "invalid_api_key",
  "origin_not_allowed",
  "channel_disabled",
  "workspace_suspended",
  "rate_limited",
  "internal_error",
] as const satisfies readonly ChatApiErrorCode[];

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorRules, code);
}

/** The Error resource of the specification. */
export interface ErrorBody {
  error: {
    code: string;
    message: string;
    requestId: string;
    field?: string;
    retryAfterSeconds?: number;
  };
}

export interface ChatApiErrorDetails {
  message?: string | undefined;
  /** The responding side's ID of the request, to quote when asking about the error. */
  requestId?: string | undefined;
  /** JSON pointer (RFC 6901) to the wrong request field. */
  field?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** True if the response had no code of the specification, so `code` is a substitute. */
  unspecified?: boolean;
  cause?: unknown;
}

/** The same symbol in every copy of this module. */
const brand = Symbol.for("shop-chat.ChatApiError");

/**
 * The server responded with an error, or domain code rejects a request. Act on `code`.
 *
 * `instanceof` checks a brand, because a bundler may load this module several times into one process (`next
 * dev` does so for each route), and one copy's error must be caught by another's.
 */
export class ChatApiError extends Error {
  static override [Symbol.hasInstance](value: unknown): value is ChatApiError {
    return typeof value === "object" && value !== null && brand in value;
  }

  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly requestId: string | undefined;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /**
   * True if the response had no code of the specification: `code` is then the one that fits its status best,
   * and `message` says what the response had.
   */
  readonly unspecified: boolean;

  constructor(code: ErrorCode, details: ChatApiErrorDetails = {}) {
    super(
      details.message ?? sentenceOf(code),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = "ChatApiError";
    this.code = code;
    this.requestId = details.requestId;
    this.field = details.field;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.unspecified = details.unspecified ?? false;
  }

  get status(): number {
    return errorRules[this.code].status;
  }

  get rule(): ErrorRule {
    return errorRules[this.code];
  }
}

/** The error as a response body; the response's `X-Request-Id` is `requestId`. */
export function bodyOfError(
  { code, message, field, retryAfterSeconds }: ChatApiError,
  requestId: string,
): ErrorBody {
  return {
    error: {
      code,
      message,
      requestId,
      ...(field === undefined ? {} : { field }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  };
}
