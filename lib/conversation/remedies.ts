/**
 * The remedies: for each error code what the customer reads and the one button that helps.
 * What the chat does by itself before it comes to this is in `delivery.ts`. Sentences are keys of the dictionaries.
 */
import { assertNever } from "./assert-never.ts";
import type { Failure, FailureCode } from "./failure.ts";

export type RemedyButton =
  /** The same message again; `keepsKey` decides about its key. */
  | "try_again"
  /** The text goes back into the composer. */
  | "edit"
  /** A new chat that takes the unsent text along. */
  | "new_chat"
  | "ask_again"
  | "attach_again"
  | "upload_again"
  | "choose_file"
  | "review_form"
  | "ask_person"
  | "reload_messages"
  | "reload_page";

export type RemedyText =
  | "could_not_be_sent"
  | "field_refused"
  | "link_not_valid"
  | "form_refused"
  | "not_available"
  | "chat_gone"
  | "file_gone"
  | "send_again"
  | "start_again"
  | "other_answer_running"
  | "answer_interrupted"
  | "other_request_won"
  | "chat_full"
  | "chat_closed"
  | "form_changed"
  | "file_not_ready"
  | "no_more_files"
  | "storage_full"
  | "offer_stale"
  | "details_missing"
  | "list_changed"
  | "too_large"
  | "wrong_file_type"
  | "too_fast"
  | "very_busy"
  | "no_new_chats"
  | "our_fault"
  | "reconnecting_failed"
  | "no_session"
  | "not_allowed"
  | "no_connection"
  | "outdated";

export interface Remedy {
  /** What happened and what was done about it. */
  text: RemedyText;
  button: RemedyButton | null;
  /** True where a person outside the chat may be the customer's next step: the shop's contact line is shown. */
  showsContact: boolean;
}

const remedy = (text: RemedyText, button: RemedyButton | null, showsContact = false): Remedy => ({
  text,
  button,
  showsContact,
});

export function remedyFor({ code, isListed }: Pick<Failure, "code" | "isListed">): Remedy {
  // Looked for in the chat and not found: nothing was stored, whatever the code.
  if (isListed === false) return remedy("send_again", "try_again");
  return remedyOf(code);
}

function remedyOf(code: FailureCode): Remedy {
  switch (code) {
    case "invalid_json":
    case "unsupported_media_type":
    case "method_not_allowed":
    case "unsupported_accept":
    case "unsupported_resume":
      return remedy("could_not_be_sent", "try_again");
    case "invalid_request":
      return remedy("field_refused", "edit");
    case "invalid_id":
      return remedy("link_not_valid", "new_chat");
    case "invalid_cursor":
    case "cursor_expired":
      return remedy("list_changed", "reload_messages");
    case "invalid_submission":
      return remedy("form_refused", "review_form");
    case "invalid_api_key":
    case "origin_not_allowed":
    case "workspace_suspended":
    case "not_found":
    case "channel_disabled":
    case "chat_unavailable":
      return remedy("not_available", "try_again", true);
    case "chat_not_found":
      return remedy("chat_gone", "new_chat");
    case "file_not_found":
      return remedy("file_gone", "attach_again");
    case "idempotency_conflict":
      return remedy("send_again", "try_again");
    case "idempotency_key_expired":
    case "idempotency_resource_gone":
      return remedy("start_again", "new_chat");
    case "turn_in_progress":
      return remedy("other_answer_running", "try_again");
    case "operation_interrupted":
      return remedy("answer_interrupted", "ask_again");
    case "operation_superseded":
      return remedy("other_request_won", "try_again");
    case "operation_capacity_reached":
      return remedy("chat_full", "new_chat");
    case "chat_closed":
      return remedy("chat_closed", "new_chat");
    case "version_conflict":
      return remedy("form_changed", "review_form");
    case "file_not_ready":
      return remedy("file_not_ready", "upload_again");
    case "file_limit_reached":
      return remedy("no_more_files", "new_chat");
    case "file_storage_limit":
      return remedy("storage_full", "choose_file");
    case "confirmation_required":
      return remedy("offer_stale", "ask_person");
    case "collection_incomplete":
      return remedy("details_missing", "review_form");
    case "payload_too_large":
      return remedy("too_large", "edit");
    case "unsupported_file":
      return remedy("wrong_file_type", "choose_file");
    case "rate_limited":
      return remedy("too_fast", "try_again");
    case "capacity_limited":
      return remedy("very_busy", "try_again");
    case "chat_limit_reached":
      return remedy("no_new_chats", "try_again", true);
    case "internal_error":
    case "upstream_unreachable":
      return remedy("our_fault", "try_again");
    case "service_unavailable":
      return remedy("reconnecting_failed", "try_again");
    case "session_required":
      return remedy("no_session", "try_again");
    case "request_not_allowed":
      return remedy("not_allowed", "reload_page");
    case "connection_lost":
      return remedy("no_connection", "try_again");
    case "outdated":
      return remedy("outdated", "try_again");
    default:
      return assertNever(code);
  }
}

/** How long the button stays off: a server that asked for time gets it. Milliseconds. */
export function buttonDelay(failure: Failure): number {
  const asked = failure.retryAfterSeconds ?? 0;
  const longest = 60 * 60;
  return Math.min(Math.max(asked, 0), longest) * 1_000;
}
