/**
 * Decides what happens to a message whose attempt failed, by the error table. Pure functions, so that every
 * code can be tested without a clock.
 */
import type { ChatMode } from "../../chat-api/chat.ts";
import { type ErrorRule, errorRules } from "../../chat-api/errors.ts";
import type { Message } from "../../chat-api/message.ts";
import { dueIn } from "../../chat-client/retry.ts";
import { askedWaitOf, type Failure, type FailureCode } from "../failure.ts";
import * as conversationLimits from "../limits.ts";
import { listedOutcomeOf, type Match } from "./matching.ts";
import { keepsKey, type OutboxRecord } from "./outbox.ts";

/** True for a message that is sent only after the customer confirms it. */
export function isOutdated({ createdAt }: Pick<OutboxRecord, "createdAt">, now: number): boolean {
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
  const cause = errorRules[code].isUnreachable ? "connection_lost" : code;
  if (earlier?.code === cause) return { ...earlier, count: earlier.count + 1 };
  return { code: cause, count: 1, since: now };
}

/** The same request with the same key after a wait, or what the code's rule says instead. */
export type DeliveryStep = { step: "resend"; after: number } | { step: ErrorRule["step"] };

/** The next step after `failure`, which `attempts` already counts. */
export function nextStep(
  failure: Failure,
  { count, since }: FailedAttempts,
  now: number,
  isOffline = false,
): DeliveryStep {
  const { repeat, step, isUnreachable } = errorRules[failure.code];
  const after =
    repeat &&
    dueIn(repeat, {
      // Without the network nothing is given up.
      count: isOffline && isUnreachable ? Math.min(count, repeat.times) : count,
      elapsed: now - since,
      askedWait: askedWaitOf(failure),
    });
  if (after !== null) return { step: "resend", after };
  const isDoneOnce = step === "start_session" || step === "renew_create_key";
  return { step: isDoneOnce && count > 1 ? "refuse" : step };
}

/** A chat's messages and its mode on the server. */
export interface Listing {
  messages: readonly Message[];
  mode: ChatMode;
  /** There are earlier messages than those of the list. */
  hasOlder: boolean;
}

/**
 * The outcome of a message once the messages have been listed: null if it was delivered and nothing is left
 * to do, otherwise the failure to show, now or after some more look-ups (`lookUpCount`).
 */
export function afterLookUp(
  failure: Failure,
  match: Match | undefined,
  { messages, mode, hasOlder }: Listing,
): Failure | null {
  // A refusal of the last attempt says nothing of the earlier ones: only their key does.
  const unclear: Failure = isUnknowing(failure) ? { ...failure, code: "internal_error" } : failure;
  switch (listedOutcomeOf(match, messages)) {
    case "answered":
      return null;
    case "absent":
      return hasOlder ? unclear : { ...failure, isListed: false };
    case "unclear":
      return unclear;
    case "unanswered":
      return awaitsAnswer(failure, mode) ? { ...failure, isListed: true, mode } : null;
  }
}

const isUnknowing = (refused: Failure) => errorRules[refused.code].outcome === "none" && !keepsKey(refused);

/** Whether to mention the missing answer. The team answers later, so then only for a superseded turn. */
function awaitsAnswer({ code }: Failure, mode: ChatMode): boolean {
  if (code === "operation_superseded") return true;
  return mode === "agent" && errorRules[code].outcome !== "earlier";
}

/** How often the list is read again before the customer is told: the answer may be about to arrive. */
export function lookUpCount({ code, isListed, mode }: Failure): number {
  if (errorRules[code].outcome === "earlier") return 0;
  if (isListed === false) return 1;
  return mode === "agent" ? conversationLimits.lookUpWaits.length : 0;
}
