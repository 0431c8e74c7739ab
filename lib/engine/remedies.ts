/**
 * The remedies: for each error code the customer's text and the one button that helps. The automatic steps
 * before that are in `outbox/delivery-rules.ts`. Sentences are keys of the dictionaries.
 */
import { askedUntil, type Failure, type FailureCode, longestPause } from "./failure.ts";

export type RemedyButton =
  /** The same message again; `keepsKey` decides about its key. */
  | "try_again"
  /** For the first time in this customer's name. */
  | "send"
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

export interface Remedy<Text extends string = RemedyText> {
  /** Says what happened and what the chat has done about it. */
  text: Text;
  button: RemedyButton | null;
  /** True if a person outside the chat may be the next step: then the shop's contact line is shown. */
  showsContact: boolean;
}

function remedy<Text extends string>(
  text: Text,
  button: RemedyButton | null,
  showsContact = false,
): Remedy<Text> {
  return { text, button, showsContact };
}

/** For a code whose usual remedy does not apply, such as editing a request without a text. */
export const generalRemedy = remedy("could_not_be_sent", "try_again");

const remedies = {
  invalid_json: generalRemedy,
  unsupported_media_type: generalRemedy,
  method_not_allowed: generalRemedy,
  unsupported_accept: generalRemedy,
  unsupported_resume: generalRemedy,
  invalid_request: remedy("field_refused", "edit"),
  invalid_id: remedy("link_not_valid", "new_chat"),
  invalid_cursor: remedy("list_changed", "reload_messages"),
  cursor_expired: remedy("list_changed", "reload_messages"),
  invalid_submission: remedy("form_refused", "review_form"),
  invalid_api_key: remedy("not_available", "try_again", true),
  origin_not_allowed: remedy("not_available", "try_again", true),
  workspace_suspended: remedy("not_available", "try_again", true),
  not_found: remedy("not_available", "try_again", true),
  channel_disabled: remedy("not_available", "try_again", true),
  chat_unavailable: remedy("not_available", "try_again", true),
  chat_not_found: remedy("chat_gone", "new_chat"),
  file_not_found: remedy("file_gone", "attach_again"),
  idempotency_conflict: generalRemedy,
  idempotency_key_expired: remedy("start_again", "new_chat"),
  idempotency_resource_gone: remedy("start_again", "new_chat"),
  turn_in_progress: remedy("other_answer_running", "try_again"),
  operation_interrupted: remedy("no_answer", "ask_again"),
  operation_superseded: remedy("other_request_won", "ask_again"),
  operation_capacity_reached: remedy("chat_full", "new_chat"),
  chat_closed: remedy("chat_closed", "new_chat"),
  version_conflict: remedy("form_changed", "review_form"),
  file_not_ready: remedy("file_not_ready", "try_again"),
  file_limit_reached: remedy("no_more_files", "new_chat"),
  file_storage_limit: remedy("storage_full", "choose_file"),
  confirmation_required: remedy("offer_stale", "ask_person"),
  collection_incomplete: remedy("details_missing", "review_form"),
  payload_too_large: remedy("too_large", "edit"),
  unsupported_file: remedy("wrong_file_type", "choose_file"),
  rate_limited: remedy("too_fast", "try_again"),
  capacity_limited: remedy("very_busy", "try_again"),
  chat_limit_reached: remedy("no_more_messages", "try_again", true),
  internal_error: remedy("our_fault", "try_again"),
  upstream_unreachable: remedy("reconnecting_failed", "try_again"),
  service_unavailable: remedy("reconnecting_failed", "try_again"),
  session_required: remedy("no_session", "try_again"),
  request_not_allowed: remedy("not_available", "try_again", true),
  connection_lost: remedy("no_connection", "try_again"),
  not_loaded: remedy("no_connection", "try_again"),
  outdated: remedy("outdated", "try_again"),
  signed_in: remedy("signed_in", "send"),
  page_error: remedy("page_error", "try_again"),
} satisfies Record<FailureCode, Remedy<string>>;

export type RemedyText =
  | (typeof remedies)[FailureCode]["text"]
  | "send_again"
  | "closed_unanswered"
  | "team_took_over";

/** Codes whose own sentences say that nothing was stored, and why. */
const saysNotSent: readonly FailureCode[] = ["turn_in_progress", "service_unavailable"];

export function remedyFor({ code, isListed, mode }: Pick<Failure, "code"> & Partial<Failure>): Remedy {
  // The look-up did not find the message: nothing was stored, whatever the error.
  if (isListed === false && !saysNotSent.includes(code)) return remedy("send_again", "try_again");
  if (isListed === true && mode === "resolved") return remedy("closed_unanswered", null);
  if (isListed === true && (mode === "waiting" || mode === "teammate")) return remedy("team_took_over", null);
  // It was stored without an answer: the cause makes no difference to the customer.
  if (isListed === true && code !== "operation_superseded") return remedy("no_answer", "ask_again");
  return remedies[code];
}

/** When the button is enabled again, in ms since 1970, even after a reload; null if it is enabled. */
export function pausedUntil(failure: Failure, now: number): number | null {
  const until = askedUntil(failure);
  return until === null || until <= now ? null : Math.min(until, now + longestPause);
}
