/**
 * The error codes of the Chat API (docs/chat-api.md, "Error codes"), of the BFF and of the page. What
 * channel, BFF, client, engine and view do about a code is decided here and nowhere else: in `errorRules`
 * what clients do, in `responseRules` what servers answer. Free of zod, so that browser code may import it.
 */
import type { z } from "zod";
import type { turnEventSchemas } from "./turn-event-schemas.ts";

/** The answer of servers. */
export interface ResponseRule {
  status: number;
  /**
   * The BFF's treatment of a code from the Chat API, after the retries that `retry` allows:
   * - `pass`: the browser gets the same status, code and field, a similar delay and the BFF's own sentence;
   * - `hide`: the error is the operator's, so the browser gets `chat_unavailable` instead;
   * - `breach`: impossible after the BFF's own checks: logged as a breach of the contract, and the browser
   *   gets `internal_error`.
   */
  relay: "pass" | "hide" | "breach";
  /** The sentence of the error body. Clients act on the code; the sentence may change. */
  sentence: string;
}

/** The one button that helps the customer. */
export type RemedyButton =
  /** The same message again; `nextKey` decides about its key. */
  | "try_again"
  /** Sends it for the first time in this customer's name. */
  /** The text goes back into the composer. */
  | "edit"
  /** A new chat that starts with the unsent text. */
  | "new_chat"
  | "ask_again"
  | "attach_again"
  | "choose_file"
  | "review_form"
  | "ask_person"
  | "reload_messages";

/** When and how often a request is repeated, unchanged and under its key. Durations are milliseconds. */
export interface Repetition {
  /** The waits before the repetitions; the last one repeats. `Retry-After` prolongs them. */
  waits: readonly number[];
  /** Repetitions in a row for the same cause. */
  times: number;
  /** No repetition starts later than this after the first failure in a row. */
  within: number;
  /** The longest `Retry-After` to wait for. A longer one is left to the customer. */
  longest: number;
  /** The random share of a wait. Without it all waits are exact. */
  jitter?: number;
}

/** How the browser repeats a write, and what the customer reads meanwhile. */
export interface WriteRepetition extends Repetition {
  waitingFor: "turn" | "file" | "fast" | "busy" | "connection" | "service";
}

/** The behaviour of clients at a code. */
export interface ErrorRule<Text extends string = string> {
  /**
   * The client's next attempt within one call, without changing the request or the key:
   * - `after_delay`: waits (`Retry-After` if given), then sends the same request again;
   * - `never`: nothing; a person or other code must decide.
   */
  retry: "after_delay" | "never";
  /**
   * Whether the customer's next attempt uses the same idempotency key (`keep`: the first attempt may still
   * succeed, or nothing was stored under the key) or a `new` one.
   */
  nextKey: "keep" | "new";
  /** How the browser repeats a write by itself; null if it does not. */
  repeat: WriteRepetition | null;
  /**
   * The browser's treatment of a write that is not repeated (any more):
   * - `refuse`: the customer decides;
   * - `look_up`: lists the messages, which show the outcome;
   * - `start_session`, `renew_create_key`: does so once, then sends the request again.
   */
  step: "refuse" | "look_up" | "start_session" | "renew_create_key";
  /**
   * The outcome of a write that had this code:
   * - `none`: nothing was stored;
   * - `unknown`: it may have been stored;
   * - `ended`: it was stored, and ended under its key;
   * - `earlier`: only an earlier request under the key can have been stored.
   */
  outcome: "none" | "unknown" | "ended" | "earlier";
  /** True if no Chat API answered. Such codes alternate while programs restart. */
  isUnreachable: boolean;
  /**
   * The thing that can no longer be used: an idempotency key, the cursor of a list, a file, a chat (`full`,
   * `closed` or `gone`), the chat service until its operator has mended it, or this page's code.
   */
  ends: "key" | "cursor" | "file" | "full" | "closed" | "gone" | "service" | "page" | null;
  /** The customer's text, a key of the dictionaries: what happened, and what the chat has done about it. */
  text: Text;
  button: RemedyButton;
  /** True if a person outside the chat may be the next step: then the shop's contact line is shown. */
  showsContact: boolean;
}

type Difference = Partial<Omit<ErrorRule, "text" | "button">>;

/** A refusal: nothing was stored, and only the customer can do something. */
const refused = <const Text extends string>(
  text: Text,
  button: RemedyButton,
  difference: Difference = {},
): ErrorRule<Text> => ({
  retry: "never",
  nextKey: "new",
  repeat: null,
  step: "refuse",
  outcome: "none",
  isUnreachable: false,
  ends: null,
  text,
  button,
  showsContact: false,
  ...difference,
});
/** A refusal like `refused`, but the same request may succeed later. */
const kept = <const Text extends string>(text: Text, difference: Difference = {}) =>
  refused(text, "try_again", { nextKey: "keep", ...difference });
/** Repeated by each client on the way before the customer gets a button. */
const repeated = <const Text extends string>(text: Text, repeat: WriteRepetition, difference?: Difference) =>
  kept(text, { retry: "after_delay", repeat, ...difference });

const second = 1_000;
const minute = 60 * second;
const times = (
  count: number,
  waitingFor: WriteRepetition["waitingFor"],
  ...waits: readonly number[]
): WriteRepetition => ({
  waits,
  times: count,
  within: Number.POSITIVE_INFINITY,
  longest: minute,
  waitingFor,
});
/** Repeated for about two minutes. */
const whileUnreachable = times(11, "connection", 1 * second, 2 * second, 4 * second, 8 * second, 15 * second);
const afterFault = times(2, "service", 2 * second, 4 * second);
const patiently = (waitingFor: WriteRepetition["waitingFor"]): WriteRepetition => ({
  ...times(Number.POSITIVE_INFINITY, waitingFor, 2 * second, 4 * second, 8 * second),
  within: 2 * minute,
});
/** Only a `Retry-After` says that the plan will have room again. */
const ifAsked: WriteRepetition = { ...times(1, "busy"), longest: 2 * minute };

/** A program's fault: the customer can only try again. */
const fault = refused("could_not_be_sent", "try_again");
/** The same fault of a request that a corrected program may repeat. */
const keptFault = kept("could_not_be_sent");
const outOfService = kept("not_available", { ends: "service", showsContact: true });
const keyless = refused("start_again", "new_chat", {
  step: "renew_create_key",
  outcome: "ended",
  ends: "key",
});
const staleList = refused("list_changed", "reload_messages", { ends: "cursor" });
const ended = { step: "look_up", outcome: "ended" } as const;
const unsure = { step: "look_up", outcome: "unknown" } as const;

const chatApiCodes = {
  invalid_json: fault,
  invalid_request: refused("field_refused", "edit"),
  invalid_id: refused("link_not_valid", "new_chat", { ends: "gone" }),
  invalid_cursor: staleList,
  invalid_submission: refused("form_refused", "review_form"),
  unsupported_resume: keptFault,
  invalid_api_key: outOfService,
  origin_not_allowed: outOfService,
  channel_disabled: outOfService,
  workspace_suspended: outOfService,
  not_found: outOfService,
  chat_not_found: refused("chat_gone", "new_chat", { ends: "gone" }),
  file_not_found: refused("file_gone", "attach_again", { ends: "file" }),
  method_not_allowed: keptFault,
  unsupported_accept: keptFault,
  idempotency_conflict: { ...fault, step: "look_up", outcome: "earlier", ends: "key" },
  idempotency_key_expired: keyless,
  turn_in_progress: kept("other_answer_running", { repeat: patiently("turn"), step: "look_up" }),
  operation_interrupted: refused("no_answer", "ask_again", ended),
  operation_superseded: refused("other_request_won", "ask_again", ended),
  operation_capacity_reached: refused("chat_full", "new_chat", { ends: "full" }),
  chat_closed: refused("chat_closed", "new_chat", { ends: "closed" }),
  version_conflict: refused("form_changed", "review_form"),
  file_not_ready: repeated("file_not_ready", times(2, "file", 2 * second)),
  file_limit_reached: refused("no_more_files", "new_chat"),
  file_storage_limit: refused("storage_full", "choose_file"),
  confirmation_required: refused("offer_stale", "ask_person"),
  collection_incomplete: refused("details_missing", "review_form"),
  cursor_expired: staleList,
  idempotency_resource_gone: keyless,
  payload_too_large: refused("too_large", "edit"),
  unsupported_media_type: fault,
  unsupported_file: refused("wrong_file_type", "choose_file"),
  rate_limited: repeated("too_fast", times(1, "fast", 1 * second)),
  capacity_limited: repeated("very_busy", times(3, "busy", 2 * second)),
  chat_limit_reached: kept("no_more_messages", { repeat: ifAsked, showsContact: true }),
  internal_error: repeated("our_fault", afterFault, unsure),
  service_unavailable: repeated("reconnecting_failed", patiently("service"), {
    step: "look_up",
    isUnreachable: true,
  }),
} satisfies Record<string, ErrorRule>;

/** Codes that only the BFF returns. */
const bffCodes = {
  session_required: kept("no_session", { step: "start_session" }),
  request_not_allowed: outOfService,
  upstream_unreachable: repeated("reconnecting_failed", whileUnreachable, { ...unsure, isUnreachable: true }),
  chat_unavailable: outOfService,
} satisfies Record<string, ErrorRule>;

/**
 * The page's own codes. `connection_lost`: no response arrived. `outdated`: the message is so old that the
 * customer must confirm it before it is sent. `page_error`: this code failed in a way that it does not know.
 */
const pageCodes = {
  connection_lost: kept("no_connection", {
    repeat: whileUnreachable,
    outcome: "unknown",
    isUnreachable: true,
  }),
  outdated: kept("outdated", { outcome: "earlier" }),
  page_error: kept("page_error", { outcome: "unknown", ends: "page" }),
} satisfies Record<string, ErrorRule>;

export type ChatApiErrorCode = keyof typeof chatApiCodes;
export type BffErrorCode = keyof typeof bffCodes;
export type ErrorCode = ChatApiErrorCode | BffErrorCode;
/** The codes of the API, the BFF and the page. */
export type FailureCode = ErrorCode | keyof typeof pageCodes;

const responseCodes = { ...chatApiCodes, ...bffCodes };
const all = { ...responseCodes, ...pageCodes };
/** Keys of the dictionaries. */
export type RuleText = (typeof all)[FailureCode]["text"];
export const errorRules: Readonly<Record<FailureCode, ErrorRule<RuleText>>> = all;

const answer =
  <const Relay extends ResponseRule["relay"]>(relay: Relay) =>
  (status: number, sentence: string) => ({ status, relay, sentence });
const pass = answer("pass");
const hide = answer("hide");
const breach = answer("breach");

/** Bundlers replace `typeof window`, so that these columns are no part of pages, which never answer. */
const responseRules =
  typeof window === "undefined"
    ? ({
        invalid_json: breach(400, "The body must be a JSON object."),
        invalid_request: pass(400, "A field of the request is invalid."),
        invalid_id: breach(400, "An ID in the path is malformed."),
        invalid_cursor: pass(400, "The cursor is not one that was returned for this list."),
        invalid_submission: pass(400, "The answers were not accepted. Read the collection and correct them."),
        unsupported_resume: breach(400, "Streams cannot be resumed. Send the message again."),
        invalid_api_key: hide(401, "The chat key is missing or wrong."),
        origin_not_allowed: hide(403, "Calls from browsers are not allowed. Call from a server."),
        channel_disabled: hide(403, "The agent is not published."),
        workspace_suspended: hide(403, "The workspace is suspended."),
        not_found: hide(404, "There is nothing at this path."),
        chat_not_found: pass(404, "There is no such chat."),
        file_not_found: pass(404, "There is no such file in this chat."),
        method_not_allowed: breach(405, "This path does not take this method."),
        unsupported_accept: breach(406, "Accept must allow application/json or text/event-stream."),
        idempotency_conflict: pass(409, "This idempotency key was used for a different request."),
        idempotency_key_expired: pass(409, "This idempotency key has been forgotten."),
        turn_in_progress: pass(409, "Another turn in this chat is running."),
        operation_interrupted: pass(409, "The operation was interrupted. List the messages first."),
        operation_superseded: pass(409, "The operation was superseded by another request."),
        operation_capacity_reached: pass(409, "This chat cannot take more operations. Start a new chat."),
        chat_closed: pass(409, "This chat is closed. Start a new chat."),
        version_conflict: pass(409, "The collection has changed. Read it again."),
        file_not_ready: pass(409, "The file is not usable yet. Upload it again with the same key."),
        file_limit_reached: pass(409, "This chat cannot take more files."),
        file_storage_limit: pass(409, "This chat's storage is full."),
        confirmation_required: pass(409, "The confirmation is missing or stale. Read the latest offer."),
        collection_incomplete: pass(409, "The team needs more details first. Fill in the form."),
        cursor_expired: pass(410, "The cursor has expired. Start the list again."),
        idempotency_resource_gone: pass(410, "What this key created is gone."),
        payload_too_large: pass(413, "The body is too large."),
        unsupported_media_type: breach(415, "The body's type is not supported."),
        unsupported_file: pass(415, "This type of file is not allowed."),
        rate_limited: pass(429, "Too many requests. Wait, then send the same request again."),
        capacity_limited: pass(429, "Too busy to start a chat. Wait, then try again."),
        chat_limit_reached: pass(429, "The plan's limit of chats is reached."),
        internal_error: pass(500, "Something went wrong. Send the same request again."),
        service_unavailable: pass(503, "Temporarily unavailable. Send the same request again."),
        session_required: pass(401, "There is no session. Start one."),
        request_not_allowed: pass(403, "This request did not come from the shop's own pages."),
        upstream_unreachable: pass(502, "The chat could not be reached. Send the same request again."),
        chat_unavailable: pass(503, "The chat is not available right now."),
      } satisfies Record<ErrorCode, ResponseRule>)
    : {};

export function responseOf(code: ErrorCode): ResponseRule {
  const rules: Readonly<Partial<Record<ErrorCode, ResponseRule>>> = responseRules;
  return rules[code] ?? { status: 500, relay: "pass", sentence: code };
}

/** Codes for which the operator needs a remedy. */
export type HiddenErrorCode = {
  [Code in ErrorCode]: (typeof responseRules)[Code] extends { relay: "hide" } ? Code : never;
}[ErrorCode];

/** The 38 codes of the specification. */
export const chatApiErrorCodes = /* @__PURE__ */ Object.keys(chatApiCodes) as ChatApiErrorCode[];
export const bffErrorCodes = /* @__PURE__ */ Object.keys(bffCodes) as BffErrorCode[];

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
  return Object.hasOwn(responseCodes, code);
}

/** The Error resource of the specification. */
export type ErrorBody = z.output<(typeof turnEventSchemas)["error"]>;

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
      details.message ?? responseOf(code).sentence,
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
    return responseOf(this.code).status;
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
