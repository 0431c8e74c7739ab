/**
 * Rate limits. Each call counts in several buckets: the session's, the address's, and a total that keeps one
 * BFF below the Chat API's limits per channel. No single address can use up the total: it gets a part.
 * Other parts are reserved: for established sessions, because new ones (newcomers) cost nothing to create,
 * and for customers who are signed in.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import { headerNames } from "../../chat-api/headers.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { LogFacts, Logger } from "../observability/log.ts";
import type { Session } from "../session/guest-sessions.ts";
import type { ChatRequest } from "../transport/chat-request.ts";
import type { CallerAddress } from "./caller-address.ts";
import { type Count, createProcessCounts, type Rate, type Refusal } from "./process-counts.ts";
import { createRedisCounts } from "./redis-counts.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export interface RateLimit {
  /** Per caller: a customer, or a guest's session. */
  perSession: readonly Rate[];
  perAddress: readonly Rate[];
  everyone: readonly Rate[];
  /** For all callers of an address that many may share. A limit for everyone gives it a part of that. */
  perSharedAddress?: readonly Rate[];
  /** Set if the total per day is configurable. */
  everyonePerDay?: "chatsPerDay";
  /**
   * Set if a repeated request under the same idempotency key creates nothing new: it counts against this
   * limit instead.
   */
  repetition?: string;
}

const perMinute = (calls: number): Rate => ({ calls, seconds: minute });

/**
 * A person writes a few messages a minute, and a page reads a few times for each. The limits per session and
 * address are several times higher. The totals are the load that one process should carry and, for chats, the
 * number that a plan can afford.
 */
export const rateLimitTable = {
  /**
   * Checked before the host is asked for the caller, so that a flood does not reach its session store. Counts
   * every request in this process alone, and is as high as the other limits together.
   */
  identify: {
    perSession: [],
    perAddress: [perMinute(2_400)],
    perSharedAddress: [perMinute(30_000)],
    everyone: [],
  },
  /** A new session costs nothing, but a million of them would make the limits per session worthless. */
  newSession: { perSession: [], perAddress: [perMinute(60)], everyone: [perMinute(1_200)] },
  read: { perSession: [perMinute(240)], perAddress: [perMinute(1_200)], everyone: [perMinute(30_000)] },
  /** Opening a chat may cost the Chat API one read per page. */
  latest: { perSession: [perMinute(60)], perAddress: [perMinute(300)], everyone: [perMinute(3_000)] },
  /**
   * Every chat counts against the shop's plan, so no address gets more than a tenth of the default day. An
   * office, or the customers of a mobile carrier, share one: they get what fifty people start who ask twice
   * an hour. A person who presses New chat again and again is not stopped, a program is. While the Chat API
   * is busy, the page repeats the request for the same chat.
   */
  createChat: {
    repetition: "send",
    perSession: [perMinute(10), { calls: 40, seconds: day }],
    perAddress: [perMinute(30), { calls: 100, seconds: hour }, { calls: 500, seconds: day }],
    everyone: [perMinute(300)],
    everyonePerDay: "chatsPerDay",
  },
  send: { perSession: [perMinute(30)], perAddress: [perMinute(120)], everyone: [perMinute(3_000)] },
  upload: { perSession: [perMinute(20)], perAddress: [perMinute(60)], everyone: [perMinute(600)] },
  download: { perSession: [perMinute(120)], perAddress: [perMinute(600)], everyone: [perMinute(6_000)] },
  /** Health checks, metrics and the widget. If anyone could use up a limit, the shop would look dead. */
  check: { perSession: [], perAddress: [], everyone: [] },
} as const satisfies Record<string, RateLimit>;

export type LimitName = keyof typeof rateLimitTable;
/** Limits by name. A name without an entry has no limit. */
export type RateLimitTable = Readonly<Partial<Record<LimitName, RateLimit>>>;

export interface Caller {
  request: Pick<ChatRequest, "headers">;
  session: Session | undefined;
  address: CallerAddress | undefined;
  /** Adds to the request's log line. */
  note?: ((facts: LogFacts) => void) | undefined;
}

/**
 * An IPv6 customer with a /48 prefix has 65,536 /64 prefixes. Together they get the allowance of this many.
 */
const hostsPerSite = 4;
/** Shares of the total. The rest is reserved: for established sessions, and for signed-in customers. */
const newcomersPart = 0.75;
const guestsPart = 0.875;
const sharedAddressPart = 0.5;

/** The most of a day's total that one hour may use, and the least that it gets. */
const hourPart = 1 / 6;
const hourMinimum = 10;

/** In seconds. Callers come back after an hour at the latest: the next hour, or a sign-in, may admit them. */
const longestWait = hour;

export type RateLimits = ReturnType<typeof createRateLimits>;

interface Bucket {
  /** Unique, because the counts distinguish buckets by their names. */
  name: string;
  rate: Rate;
  /** Undefined if the bucket does not count this caller. */
  key(caller: Caller): string | undefined;
}

export interface RateLimitOptions {
  redisUrl: string | undefined;
  chatsPerDay: number;
  /** True if callers can be signed in. Without a sign-in nothing is reserved for customers. */
  hasCustomers: boolean;
  log: Logger;
  clock?: (() => number) | undefined;
  table: RateLimitTable;
}

export function createRateLimits(options: RateLimitOptions) {
  const { redisUrl, chatsPerDay, hasCustomers, log, clock = Date.now, table } = options;
  const inProcess = createProcessCounts(clock);
  const inRedis = redisUrl === undefined ? undefined : createRedisCounts(redisUrl, log, inProcess);
  const parts: Parts = {
    newcomers: newcomersPart,
    guests: hasCustomers ? guestsPart : 1,
    isNewcomer: ({ session }) =>
      session === undefined || session.startedAt + bffLimits.newcomerTime > clock(),
  };

  const limits: Readonly<Record<string, RateLimit | undefined>> = table;
  const buckets = new Map(
    Object.entries(table).map(([name, limit]) => [name, bucketsOf(name, withDay(limit, chatsPerDay), parts)]),
  );
  const countsOf = (limit: string, caller: Caller): Count[] =>
    (buckets.get(limit) ?? []).flatMap(({ name, rate, key }) => {
      const holder = key(caller);
      return holder === undefined ? [] : [{ bucket: name, rate, key: holder }];
    });

  function requireAdmitted(refusal: Refusal | undefined, caller: Caller): void {
    if (refusal === undefined) return;
    caller.note?.({ limitedBy: refusal.bucket });
    const retryAfterSeconds = Math.min(longestWait, Math.max(1, Math.ceil(refusal.wait / 1_000)));
    throw new ChatApiError("rate_limited", { retryAfterSeconds });
  }

  return {
    /** Counts a request whose caller is not known yet. @throws ChatApiError `rate_limited` */
    admitAddress(caller: Caller): void {
      requireAdmitted(
        inProcess.count({ counts: countsOf("identify", caller), repetition: undefined }),
        caller,
      );
    },
    /** @throws ChatApiError `rate_limited` with `retryAfterSeconds`. */
    async consume(limit: LimitName, caller: Caller) {
      const counts = countsOf(limit, caller);
      if (counts.length === 0) return;
      const repeated = limits[limit]?.repetition;
      const key = repeated === undefined ? undefined : requestKey(limit, caller);
      const call = {
        counts,
        repetition:
          repeated === undefined || key === undefined
            ? undefined
            : { key, counts: countsOf(repeated, caller) },
      };
      requireAdmitted(await (inRedis ?? inProcess).count(call), caller);
    },
    close(): void {
      inRedis?.close();
    },
  };
}

const part = ({ calls, seconds }: Rate, factor: number): Rate => ({
  calls: Math.ceil(calls * factor),
  seconds,
});

interface Parts {
  newcomers: number;
  guests: number;
  isNewcomer(caller: Caller): boolean;
}

/** A limit's buckets in the order of counting. A request over one limit is not counted in the later ones. */
function bucketsOf(limitName: string, limit: RateLimit, { newcomers, guests, isNewcomer }: Parts): Bucket[] {
  const bucket = (holder: string, rate: Rate, key: Bucket["key"]): Bucket => ({
    name: `${limitName}:${holder}:${rate.seconds}`,
    rate,
    key,
  });
  const isGuest = ({ session }: Caller) => session === undefined || session.customer === null;
  const withReserves = (holder: string, rate: Rate, key: Bucket["key"]): Bucket[] => [
    bucket(`${holder}-newcomers`, part(rate, newcomers), (caller) =>
      isNewcomer(caller) ? key(caller) : undefined,
    ),
    ...(guests < 1
      ? [
          bucket(`${holder}-guests`, part(rate, guests), (caller) =>
            isGuest(caller) ? key(caller) : undefined,
          ),
        ]
      : []),
    bucket(holder, rate, key),
  ];
  const sharedAddress = ({ address }: Caller) => (address?.isShared === true ? address.site : undefined);
  return [
    ...limit.perSession.map((rate) => bucket("session", rate, ({ session }) => session?.id)),
    ...limit.perAddress.flatMap((rate) => [
      bucket("address", rate, ({ address }) => (address?.isShared === false ? address.host : undefined)),
      bucket("site", part(rate, hostsPerSite), ({ address }) =>
        address?.isShared === false && address.site !== address.host ? address.site : undefined,
      ),
    ]),
    ...(limit.perSharedAddress ?? []).map((rate) => bucket("shared-address", rate, sharedAddress)),
    ...limit.everyone.flatMap((rate) => [
      ...withReserves("shared-address", part(rate, sharedAddressPart), sharedAddress),
      ...withReserves("everyone", rate, () => "all"),
    ]),
  ];
}

/** Spreads a day's total over its hours, so that nobody can use it up in a few minutes. */
function withDay(limit: RateLimit, calls: number): RateLimit {
  if (limit.everyonePerDay === undefined) return limit;
  const perHour = Math.min(calls, Math.max(hourMinimum, Math.ceil(calls * hourPart)));
  return {
    ...limit,
    everyone: [...limit.everyone, { calls: perHour, seconds: hour }, { calls, seconds: day }],
  };
}

/** Identifies a request that the browser repeats; undefined without an idempotency key. */
function requestKey(limit: string, { request, session }: Caller): string | undefined {
  const key = request.headers.get(headerNames.idempotencyKey);
  return key === null || session === undefined ? undefined : `${limit}\n${session.id}\n${key}`;
}
