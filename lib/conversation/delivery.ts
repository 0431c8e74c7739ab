/**
 * What happens to a message whose attempt failed: for each error code, what the chat does by itself. What it says and
 * offers is in `remedies.ts`. Pure, so that every code is tested without a clock.
 */
import type { Message } from "#lib/chat-api/message.ts";
import { assertNever } from "./assert-never.ts";
import type { Failure, FailureCode } from "./failure.ts";
import { conversationLimits } from "./limits.ts";
import type { OutboxRecord } from "./outbox.ts";

/** True for a message that nothing sends any more without the customer's word. */
export function isOutdated({ createdAt }: OutboxRecord, now: number): boolean {
  return now - createdAt >= conversationLimits.unattendedSending;
}

/** The attempts at one message that failed in a row with the same code. */
export interface FailedAttempts {
  code: FailureCode;
  count: number;
  /** When the first of them failed, in milliseconds. */
  since: number;
}

export function countFailure(earlier: FailedAttempts | null, code: FailureCode, now: number): FailedAttempts {
  if (earlier?.code === code) return { ...earlier, count: earlier.count + 1 };
  return { code, count: 1, since: now };
}

export type DeliveryStep =
  /** The same request with the same key, after a wait. */
  | { step: "resend"; after: number }
  /** The session is gone: start one, then send again. */
  | { step: "start_session" }
  /** Nothing was created under the key that counts any more: create the chat under a new one. */
  | { step: "renew_create_key" }
  /** The outcome is on the server: list the messages, then see `afterLookUp`. */
  | { step: "look_up" }
  /** The customer decides. */
  | { step: "refuse" };

const refuse: DeliveryStep = { step: "refuse" };
const resend = (after: number): DeliveryStep => ({ step: "resend", after });

/**
 * The next step after `failure`, which `attempts` already counts. `isOffline` while the browser is sure to have no
 * network: then the message waits for it, however long that takes.
 */
export function nextStep(
  failure: Failure,
  attempts: FailedAttempts,
  now: number,
  isOffline = false,
): DeliveryStep {
  const asked = failure.retryAfterSeconds === null ? null : failure.retryAfterSeconds * 1_000;
  const patient = now - attempts.since < conversationLimits.patience;
  switch (failure.code) {
    case "connection_lost":
      return isOffline || attempts.count <= conversationLimits.connectionTries
        ? resend(waitAt(conversationLimits.connectionWaits, attempts.count))
        : refuse;
    case "turn_in_progress":
    case "service_unavailable":
      return patient && (asked ?? 0) <= conversationLimits.longestAutomaticWait
        ? resend(Math.max(asked ?? 0, waitAt(conversationLimits.turnWaits, attempts.count)))
        : refuse;
    case "file_not_ready":
      return automatic(attempts, 2, asked ?? 2_000, conversationLimits.longestAutomaticWait);
    case "rate_limited":
      return automatic(attempts, 1, asked ?? 1_000, conversationLimits.longestAutomaticWait);
    case "capacity_limited":
      return automatic(attempts, 3, asked ?? 2_000, conversationLimits.longestAutomaticWait);
    case "chat_limit_reached":
      return asked === null
        ? refuse
        : automatic(attempts, 1, asked, conversationLimits.longestAutomaticWaitForPlan);
    case "session_required":
      return attempts.count === 1 ? { step: "start_session" } : refuse;
    case "idempotency_key_expired":
    case "idempotency_resource_gone":
      return attempts.count === 1 ? { step: "renew_create_key" } : refuse;
    case "idempotency_conflict":
    case "operation_interrupted":
    case "operation_superseded":
      return { step: "look_up" };
    case "invalid_json":
    case "invalid_request":
    case "invalid_id":
    case "invalid_cursor":
    case "invalid_submission":
    case "unsupported_resume":
    case "invalid_api_key":
    case "origin_not_allowed":
    case "channel_disabled":
    case "workspace_suspended":
    case "not_found":
    case "chat_not_found":
    case "file_not_found":
    case "method_not_allowed":
    case "unsupported_accept":
    case "operation_capacity_reached":
    case "chat_closed":
    case "version_conflict":
    case "file_limit_reached":
    case "file_storage_limit":
    case "confirmation_required":
    case "collection_incomplete":
    case "cursor_expired":
    case "payload_too_large":
    case "unsupported_media_type":
    case "unsupported_file":
    case "internal_error":
    case "request_not_allowed":
    case "chat_unavailable":
    case "upstream_unreachable":
    case "outdated":
      return refuse;
    default:
      return assertNever(failure.code);
  }
}

function automatic(attempts: FailedAttempts, tries: number, wait: number, longest: number): DeliveryStep {
  return attempts.count <= tries && wait <= longest ? resend(wait) : refuse;
}

function waitAt(waits: readonly number[], count: number): number {
  return waits[Math.min(count, waits.length) - 1] ?? 0;
}

/**
 * What a refused message turns out to be once the messages have been listed: null when it was delivered after all and
 * nothing is left to do, else what the customer is told.
 */
export function afterLookUp(
  failure: Failure,
  record: OutboxRecord,
  messages: readonly Message[],
): Failure | null {
  const found = findDelivered(record, messages);
  if (found === null) return { ...failure, isListed: false };
  const isAnswered = messages.slice(messages.indexOf(found) + 1).some(({ role }) => role !== "visitor");
  // Only an interrupted turn leaves a message that nobody will answer.
  return failure.code === "operation_interrupted" && !isAnswered ? { ...failure, isListed: true } : null;
}

/**
 * The stored message of a record: the customer's first one with this text and these files after the last message seen
 * at the press. By position and not by time, because the customer's clock may be wrong.
 */
export function findDelivered(record: OutboxRecord, messages: readonly Message[]): Message | null {
  const seen = messages.findIndex(({ id }) => id === record.afterMessageId);
  const fileIds = record.files.map(({ id }) => id).sort();
  return (
    messages
      .slice(seen + 1)
      .find(
        (message) =>
          message.role === "visitor" &&
          message.text === record.text &&
          sameStrings(message.files.map(({ id }) => id).sort(), fileIds),
      ) ?? null
  );
}

function sameStrings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
