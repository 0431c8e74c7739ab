/**
 * Decides what happens to a message whose attempt failed: the automatic steps for each error code. The texts
 * and buttons are in `remedies.ts`. Pure functions, so that every code can be tested without a clock.
 */
import type { ChatMode } from "../../chat-api/chat.ts";
import type { Message } from "../../chat-api/message.ts";
import type { Failure, FailureCode } from "../failure.ts";
import * as conversationLimits from "../limits.ts";
import { listedOutcomeOf, type Match } from "./matching.ts";
import type { OutboxRecord } from "./outbox.ts";

/** True for a message that is sent only after the customer confirms it. */
export function isOutdated({ createdAt }: OutboxRecord, now: number): boolean {
  return now - createdAt >= conversationLimits.unattendedSending;
}

/** The attempts at one message that failed in a row for the same cause. */
export interface FailedAttempts {
  /** `connection_lost` for every code of an unreachable server: they alternate while programs restart. */
  code: FailureCode;
  count: number;
  /** When the first of them failed, in milliseconds. */
  since: number;
}

export function countFailure(earlier: FailedAttempts | null, code: FailureCode, now: number): FailedAttempts {
  const cause = isUnreachable(code) ? "connection_lost" : code;
  if (earlier?.code === cause) return { ...earlier, count: earlier.count + 1 };
  return { code: cause, count: 1, since: now };
}

function isUnreachable(code: FailureCode): boolean {
  return code === "connection_lost" || code === "upstream_unreachable" || code === "service_unavailable";
}

export type DeliveryStep =
  /** The same request with the same key, after a wait. */
  | { step: "resend"; after: number }
  /** The session is gone: start one, then send again. */
  | { step: "start_session" }
  /** The create key no longer leads to a usable chat: create the chat under a new one. */
  | { step: "renew_create_key" }
  /** The outcome is on the server: list the messages, then see `afterLookUp`. */
  | { step: "look_up" }
  /** The customer decides. */
  | { step: "refuse" };

const refuse: DeliveryStep = { step: "refuse" };
const lookUp: DeliveryStep = { step: "look_up" };
const resend = (after: number): DeliveryStep => ({ step: "resend", after });

/** The situation in which a code's rule decides. Times in milliseconds. */
interface FailedAttempt {
  /** How often in a row it has failed for this cause, this time included. */
  count: number;
  /** The wait that the server asked for. */
  serverWait: number | null;
  /** The server asked for a wait that is too long to hide from the customer. */
  isTooLong: boolean;
  /** The first of these failures is more recent than `conversationLimits.patience`. */
  isPatient: boolean;
  /** The browser knows that it has no network: `connection_lost` is then retried without a limit. */
  isOffline: boolean;
}

type DeliveryRule = (attempt: FailedAttempt) => DeliveryStep;

const resendAfter = (waits: readonly number[], { serverWait, count }: FailedAttempt) =>
  resend(Math.max(serverWait ?? 0, waits[Math.min(count, waits.length) - 1] ?? 0));

/**
 * Resends up to `tries` times, after the requested wait or else `wait`. After the last try, and for a wait
 * above `longest`, the customer decides.
 */
const resendTimes =
  (tries: number, wait: number, longest = conversationLimits.longestAutomaticWait): DeliveryRule =>
  ({ serverWait, count }) =>
    count <= tries && (serverWait ?? wait) <= longest ? resend(serverWait ?? wait) : refuse;

const once =
  (step: DeliveryStep): DeliveryRule =>
  ({ count }) =>
    count === 1 ? step : refuse;

const resendWhilePatient: DeliveryRule = (attempt) =>
  attempt.isPatient && !attempt.isTooLong ? resendAfter(conversationLimits.turnWaits, attempt) : lookUp;

/** The customer decides about every code without a rule. */
const deliveryRules: Readonly<Partial<Record<FailureCode, DeliveryRule>>> = {
  connection_lost: (attempt) =>
    attempt.isOffline || attempt.count <= conversationLimits.connectionTries
      ? resendAfter(conversationLimits.connectionWaits, { ...attempt, serverWait: null })
      : refuse,
  upstream_unreachable: (attempt) =>
    attempt.count <= conversationLimits.connectionTries && !attempt.isTooLong
      ? resendAfter(conversationLimits.connectionWaits, attempt)
      : lookUp,
  internal_error: (attempt) =>
    attempt.count <= conversationLimits.errorTries && !attempt.isTooLong
      ? resendAfter(conversationLimits.turnWaits, attempt)
      : lookUp,
  turn_in_progress: resendWhilePatient,
  service_unavailable: resendWhilePatient,
  file_not_ready: resendTimes(2, 2_000),
  rate_limited: resendTimes(1, 1_000),
  capacity_limited: resendTimes(3, 2_000),
  // Only a `Retry-After` says that the plan will have room again.
  chat_limit_reached: (attempt) =>
    attempt.serverWait === null
      ? refuse
      : resendTimes(1, attempt.serverWait, conversationLimits.longestAutomaticWaitForPlan)(attempt),
  session_required: once({ step: "start_session" }),
  idempotency_key_expired: once({ step: "renew_create_key" }),
  idempotency_resource_gone: once({ step: "renew_create_key" }),
  idempotency_conflict: () => lookUp,
  operation_interrupted: () => lookUp,
  operation_superseded: () => lookUp,
};

/** The next step after `failure`, which `attempts` already counts. */
export function nextStep(
  { code, retryAfterSeconds }: Failure,
  { count, since }: FailedAttempts,
  now: number,
  isOffline = false,
): DeliveryStep {
  const serverWait = retryAfterSeconds === null ? null : retryAfterSeconds * 1_000;
  const isPatient = now - since < conversationLimits.patience;
  const isTooLong = (serverWait ?? 0) > conversationLimits.longestAutomaticWait;
  return deliveryRules[code]?.({ count, serverWait, isTooLong, isPatient, isOffline }) ?? refuse;
}

/** A chat's messages and its mode on the server. */
export interface Listing {
  messages: readonly Message[];
  mode: ChatMode;
}

/**
 * The outcome of a message once the messages have been listed: null if it was delivered and nothing is left
 * to do, otherwise the failure to show, now or after some more look-ups (`lookUpCount`).
 */
export function afterLookUp(
  failure: Failure,
  match: Match | undefined,
  { messages, mode }: Listing,
): Failure | null {
  switch (listedOutcomeOf(match, messages)) {
    case "answered":
      return null;
    case "absent":
      return { ...failure, isListed: false };
    case "unclear":
      return failure;
    case "unanswered":
      return awaitsAnswer(failure, mode) ? { ...failure, isListed: true, mode } : null;
  }
}

/** Whether to mention the missing answer. The team answers later, so then only for a superseded turn. */
function awaitsAnswer({ code }: Failure, mode: ChatMode): boolean {
  if (code === "operation_superseded") return true;
  return mode === "agent" && code !== "outdated" && code !== "idempotency_conflict";
}

/** How often the list is read again before the customer is told: the answer may be about to arrive. */
export function lookUpCount({ code, isListed, mode }: Failure): number {
  if (code === "outdated" || code === "idempotency_conflict") return 0;
  if (isListed === false) return 1;
  return mode === "agent" ? conversationLimits.lookUpWaits.length : 0;
}
