/**
 * The channel's own limits, where the specification leaves the number open ("Limits": "not shown"). The specification's
 * numbers are in `#lib/chat-api/limits.ts`. Durations are milliseconds unless the name says otherwise.
 */
import type { LimitOverrides } from "./db/documents.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** What the lab can change; `LimitOverrides` names the changed ones. */
export type ChannelLimits = Required<{ [Name in keyof LimitOverrides]: NonNullable<LimitOverrides[Name]> }>;

export const defaultLimits: ChannelLimits = {
  /** A plan's size. High enough that no demonstration meets it by accident. */
  chatsPerChannel: 100_000,
  /** The ledger keeps every operation's result as long as the chat exists: this bounds what one chat can store. */
  operationsPerChat: 5_000,
  /** Against a client in a loop: more than one process answers from its database anyway. */
  requestsPerMinute: 120_000,
  /** A running turn holds its reply, its history and its subscribers in memory. */
  concurrentTurns: 2_000,
};

export function effectiveLimits(overrides: LimitOverrides): ChannelLimits {
  return {
    chatsPerChannel: overrides.chatsPerChannel ?? defaultLimits.chatsPerChannel,
    operationsPerChat: overrides.operationsPerChat ?? defaultLimits.operationsPerChat,
    requestsPerMinute: overrides.requestsPerMinute ?? defaultLimits.requestsPerMinute,
    concurrentTurns: overrides.concurrentTurns ?? defaultLimits.concurrentTurns,
  };
}

export const rateWindow = minute;

export const turnLimits = {
  /** How long a silent process keeps its turns. Long enough for a garbage collection or a slow disk. */
  lease: 30 * second,
  /** Two renewals may be lost before the lease is. */
  leaseRenewal: 10 * second,
  /** An agent that is silent for so long is not thinking any more. */
  attemptDuration: 5 * minute,
  attempts: 3,
  /** Pause before an attempt that follows a failed one, times the number of failures. */
  retryPause: 250,
  /** How often what was streamed is written down for other processes: a reader there sees words, not letters. */
  deltaFlush: 100,
  /** How often a reader looks at the row when no hint comes. */
  watchPoll: second,
  /** How often orphaned turns of other processes are looked for. */
  recoveryPoll: second,
  recoveredAtOnce: 4,
  /** Earlier messages that the agent gets. */
  historyMessages: 50,
} as const;

export const waits = {
  /** How long a request that started a turn waits for its end before it is told to come back; below the usual minute of proxies. */
  firstAnswer: 55 * second,
  /** The same for a request that found the turn running. */
  attachedAnswer: 25 * second,
  /** How long a submission waits for the agent's answer to the form. */
  followUp: 5 * second,
  /** Running turns may go on for so long after SIGTERM. */
  stopGrace: 8 * second,
  /** Then open responses get so long to carry away their last event. */
  closeGrace: 3 * second,
} as const;

/** `Retry-After`, where nothing better is known. */
export const retryAfterSeconds = {
  service_unavailable: 2,
  capacity_limited: 2,
  /** A plan does not change by the minute. */
  chat_limit_reached: 3_600,
} as const;

export const retention = {
  /** A message is kept for a year; then `historyComplete` is false. */
  messages: 365 * day,
  /** How long a forgotten create key is known as forgotten, counted from its creation. */
  expiredKeys: 395 * day,
  /** A walk through the pages takes minutes; a cursor that is a day old starts again. */
  cursors: day,
} as const;

export const jobIntervals = {
  /** The team shall see a new handoff while the customer is still there. */
  outbox: second,
  sweep: minute,
  /** Bytes that a crash left without a file: rare, and nobody waits for them. */
  orphans: hour,
  /** Its lines are seconds apart. */
  autoTeammate: second,
} as const;
