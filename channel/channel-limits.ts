/**
 * The channel's own limits, where the Chat API documents no number. The documented ones are in
 * `#lib/chat-api/limits.ts`. Durations are milliseconds unless the name says otherwise.
 */
import { limits } from "#lib/chat-api/limits.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The limits that the lab can change. */
export const defaultLimits = {
  /** The plan's number of chats. High enough that no demonstration reaches it by accident. */
  chatsPerChannel: 100_000,
  /** The ledger keeps every result as long as the chat exists: this bounds what one chat can store. */
  operationsPerChat: 5_000,
  /** Stops a client in a loop. High, because the database limits real throughput first. */
  requestsPerMinute: 120_000,
  /** A running turn holds its reply, its history and its subscribers in memory. */
  concurrentTurns: 2_000,
  /** The longest page of messages: the specification promises no page as long as `limit`. */
  messagesPerPage: 50,
  /** How many messages shorter a page may be, another number each time: nor the same page for a cursor. */
  pageVariation: 0,
  /** The Chat API documents these. Tests reach smaller ones sooner. */
  fileBytesPerChat: limits.fileBytesPerChat,
  keepAliveInterval: limits.keepAliveInterval,
};

export type ChannelLimits = typeof defaultLimits;

/** Null and absent mean the default. */
export type LimitOverrides = Partial<Record<keyof ChannelLimits, number | null | undefined>>;

export function effectiveLimits(overrides: LimitOverrides): ChannelLimits {
  const changed = Object.entries(overrides).filter(([, limit]) => limit !== null && limit !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(changed) };
}

export const rateWindow = minute;

export const turnLimits = {
  /**
   * How long a process keeps a turn without renewing its lease. Garbage collection and slow disks take less.
   */
  lease: 30 * second,
  /** Two renewals in a row may fail before the lease expires. */
  leaseRenewal: 10 * second,
  /** The deadline of an attempt: an agent that takes longer is stuck. */
  attemptDuration: 5 * minute,
  attempts: 3,
  /** Pause before a retry; multiplied by the number of failed attempts. */
  retryPause: 250,
  /**
   * How often streamed text is written to the database for readers in other processes: often enough that they
   * see words appear.
   */
  deltaFlush: 100,
  /** How often a reader polls the row when no notification arrives. */
  watchPoll: second,
  /** How often each process looks for orphaned turns. */
  recoveryPoll: second,
  recoveredAtOnce: 4,
  /** How many earlier messages the agent receives. */
  historyMessages: 50,
} as const;

export const waits = {
  /**
   * How long the request that starts a turn waits for the reply before it answers 503. Less than the usual
   * proxy timeout of a minute.
   */
  firstResponse: 55 * second,
  /** How long a request that joins a running turn waits for the reply before it answers 503. */
  attachedResponse: 25 * second,
  /** How long a submission waits for the agent's follow-up message. */
  followUp: 5 * second,
  /** How long running turns may continue after SIGTERM. */
  stopGrace: 8 * second,
  /** How long the jobs and the aborted turns may then take, which a hanging database can prevent. */
  stopLast: second,
  /** How long open responses then get to deliver their last event. */
  closeGrace: 3 * second,
  /** How long the connections to the database may take to close. */
  closeDatabase: second,
  /** How long a starting channel waits for a database that is still starting, and for a lab that stops. */
  database: 30 * second,
  /** Pause before it tries again. */
  startRetry: 250,
  /** Timeout of one handoff notice. The notice stays due and is retried. */
  notice: 10 * second,
  /** How long no other process delivers it: its timeout, and time to note the outcome. */
  noticeLease: 15 * second,
} as const;

/**
 * How often a write begins again because others have changed what it read. Of writes side by side one gets
 * through each time, so that only more of them than this meet the end.
 */
export const writeAttempts = 100;

/**
 * The `Retry-After` of a refusal whose cause has no known end: for a full plan an hour, because plans change
 * rarely.
 */
export const retryAfterSeconds = { default: 2, chat_limit_reached: 3_600 } as const;

export const retention = {
  /** Messages are deleted after a year; `historyComplete` is then false. */
  messages: 365 * day,
  /** How long an expired create key is refused rather than treated as new, counted from its creation. */
  expiredKeys: 395 * day,
  /** Far longer than reading all pages takes. A reader whose cursor has expired starts again. */
  cursors: day,
} as const;

/** Exponential backoff after failed deliveries, from one second up to about an hour. */
export const noticeBackoff = { first: second, doublings: 12 } as const;

export const jobIntervals = {
  /** Short, because the team should see a handoff while the customer is still there. */
  outbox: second,
  sweep: minute,
} as const;
