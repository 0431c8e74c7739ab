/**
 * The Chat API's error codes (specification, "Errors") and the BFF's own. The one place that knows a code's status
 * and what each side does about it. Free of zod, so that browser code may import it.
 */

/**
 * What a client does by itself about a code, without changing the request or the idempotency key:
 * - `after_delay`: waits (`Retry-After` where given), then sends the same request again;
 * - `never`: nothing; a person or other code must decide.
 */
export type RetryRule = "after_delay" | "never";

/**
 * What the BFF does with a code that came from the Chat API (it has sent the request again before, where `retry` says so):
 * - `pass`: the browser gets the same status, code, field and delay, with the BFF's own sentence;
 * - `hide`: the operator's fault, none of the customer's business: `chat_unavailable`;
 * - `breach`: cannot happen after the BFF's own checks: logged as a breach of the contract, `internal_error`.
 */
export type RelayRule = "pass" | "hide" | "breach";

/**
 * Whether the customer's next attempt carries the same idempotency key (`keep`: the first attempt may still count,
 * or nothing was stored under the key) or a `new` one.
 */
export type NextKey = "keep" | "new";

export interface ErrorRule {
  status: number;
  retry: RetryRule;
  relay: RelayRule;
  nextKey: NextKey;
}

const chatApiErrorRules = {
  invalid_json: {
    status: 400,
    retry: "never",
    relay: "breach",
    nextKey: "new",
  },
  invalid_request: {
    status: 400,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  invalid_id: {
    status: 400,
    retry: "never",
    relay: "breach",
    nextKey: "new",
  },
  invalid_cursor: {
    status: 400,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  invalid_submission: {
    status: 400,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  unsupported_resume: {
    status: 400,
    retry: "never",
    relay: "breach",
    nextKey: "keep",
  },
  invalid_api_key: {
    status: 401,
    retry: "never",
    relay: "hide",
    nextKey: "keep",
  },
  origin_not_allowed: {
    status: 403,
    retry: "never",
    relay: "hide",
    nextKey: "keep",
  },
  channel_disabled: {
    status: 403,
    retry: "never",
    relay: "hide",
    nextKey: "keep",
  },
  workspace_suspended: {
    status: 403,
    retry: "never",
    relay: "hide",
    nextKey: "keep",
  },
  not_found: {
    status: 404,
    retry: "never",
    relay: "hide",
    nextKey: "keep",
  },
  chat_not_found: {
    status: 404,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  file_not_found: {
    status: 404,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  method_not_allowed: {
    status: 405,
    retry: "never",
    relay: "breach",
    nextKey: "keep",
  },
  unsupported_accept: {
    status: 406,
    retry: "never",
    relay: "breach",
    nextKey: "keep",
  },
  idempotency_conflict: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  idempotency_key_expired: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  turn_in_progress: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "keep",
  },
  operation_interrupted: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  operation_superseded: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  operation_capacity_reached: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  chat_closed: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  version_conflict: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  file_not_ready: {
    status: 409,
    retry: "after_delay",
    relay: "pass",
    nextKey: "keep",
  },
  file_limit_reached: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  file_storage_limit: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  confirmation_required: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  collection_incomplete: {
    status: 409,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  cursor_expired: {
    status: 410,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  idempotency_resource_gone: {
    status: 410,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  payload_too_large: {
    status: 413,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  unsupported_media_type: {
    status: 415,
    retry: "never",
    relay: "breach",
    nextKey: "new",
  },
  unsupported_file: {
    status: 415,
    retry: "never",
    relay: "pass",
    nextKey: "new",
  },
  rate_limited: {
    status: 429,
    retry: "after_delay",
    relay: "pass",
    nextKey: "keep",
  },
  capacity_limited: {
    status: 429,
    retry: "after_delay",
    relay: "pass",
    nextKey: "keep",
  },
  chat_limit_reached: {
    status: 429,
    retry: "never",
    relay: "pass",
    nextKey: "keep",
  },
  internal_error: {
    status: 500,
    retry: "after_delay",
    relay: "pass",
    nextKey: "keep",
  },
  service_unavailable: {
    status: 503,
    retry: "after_delay",
    relay: "pass",
    nextKey: "keep",
  },
} as const satisfies Record<string, ErrorRule>;

/** Codes that only the BFF gives. */
const bffErrorRules = {
  session_required: {
    status: 401,
    retry: "never",
    relay: "pass",
    nextKey: "keep",
  },
  request_not_allowed: {
    status: 403,
    retry: "never",
    relay: "pass",
    nextKey: "keep",
  },
  upstream_unreachable: {
    status: 502,
    retry: "after_delay",
    relay: "pass",
    nextKey: "keep",
  },
  chat_unavailable: {
    status: 503,
    retry: "never",
    relay: "pass",
    nextKey: "keep",
  },
} as const satisfies Record<string, ErrorRule>;

export type ChatApiErrorCode = keyof typeof chatApiErrorRules;
export type BffErrorCode = keyof typeof bffErrorRules;
export type ErrorCode = ChatApiErrorCode | BffErrorCode;

export const errorRules: Readonly<Record<ErrorCode, ErrorRule>> = { ...chatApiErrorRules, ...bffErrorRules };

/**
 * The sentences of error bodies. Clients act on the code; the sentence may change. Browsers say what an error means in
 * the customer's language and carry none of these: bundlers know there what `typeof window` is.
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

/** What an error body says of the code; in a browser's bundle the code itself. */
export function sentenceOf(code: ErrorCode): string {
  return sentences[code] ?? code;
}

/** The 38 codes of the specification. */
export const chatApiErrorCodes = Object.keys(chatApiErrorRules) as ChatApiErrorCode[];
export const bffErrorCodes = Object.keys(bffErrorRules) as BffErrorCode[];

/** Errors that every operation can return (specification, "Errors"). */
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
  /** The side that answered gave this ID to the request: quote it when asking about the error. */
  requestId?: string | undefined;
  /** JSON pointer (RFC 6901) to the request field at fault. */
  field?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** True where `code` stands for an answer that has none of the specification's. */
  unspecified?: boolean;
  cause?: unknown;
}

/** The same in every copy of this module. */
const brand = Symbol.for("shop-chat.ChatApiError");

/**
 * The other side answered with an error, or domain code refuses a request. Act on `code`.
 *
 * `instanceof` goes by a brand: a bundler may load this module several times into one process (`next dev` does, once a
 * route), and an error that one route's copy made is caught by another's.
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
   * True where the other side gave no code of the specification's: `code` is then the one whose treatment comes nearest
   * to its status, and `message` says what it gave.
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

  /** The error as the body of a response whose `X-Request-Id` is `requestId`. */
  toBody(requestId: string): ErrorBody {
    return {
      error: {
        code: this.code,
        message: this.message,
        requestId,
        ...(this.field === undefined ? {} : { field: this.field }),
        ...(this.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: this.retryAfterSeconds }),
      },
    };
  }
}
