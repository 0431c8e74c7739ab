/**
 * Rate limits. Each call counts in several buckets: the session's, the address's, and a total that keeps one
 * BFF below the Chat API's limits per channel. No single address can use up the total: it gets a part. The
 * last quarter of a total is for networks that have used little of it, and the last eighth for customers who
 * are signed in.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import type { LogFacts, Logger } from "../observability/log.ts";
import type { Session } from "../session/guest-sessions.ts";
import type { CallerAddress } from "./caller-address.ts";
import { type Count, createProcessCounts, type GiveBack, type Refusal } from "./process-counts.ts";
import { createRedisCounts } from "./redis-counts.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export interface Rate {
  calls: number;
  seconds: number;
}

export interface RateLimit {
  /** Per caller: a customer, or a guest's session. */
  perSession: readonly Rate[];
  perAddress: readonly Rate[];
  everyone: readonly Rate[];
  /** For all callers of an address that many may share. A limit for everyone gives it a part of that. */
  perSharedAddress?: readonly Rate[];
  /** Set if the total per day is configurable. */
  everyonePerDay?: "chatsPerDay";
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
   * an hour. A person who presses New chat again and again is not stopped, a program is. A request that
   * creates no chat counts as a message alone.
   */
  createChat: {
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
  session: Session | undefined;
  address: CallerAddress | undefined;
  /** Adds to the request's log line. */
  note?: ((facts: LogFacts) => void) | undefined;
}

/**
 * An IPv6 customer with a /48 prefix has 65,536 /64 prefixes. Together they get the allowance of this many.
 */
const hostsPerSite = 4;
/** The parts of a total that guests may use, and those of networks that have used up their share of it. */
const guestsPart = 0.875;
const busyPart = 0.75;
/** A network's share, after which it counts as busy. */
const networkPart = 0.01;
const sharedAddressPart = 0.5;

/** The most of a day's total that one hour may use, and the least that it gets. */
const hourPart = 1 / 6;
const hourMinimum = 10;

/** In seconds. Callers come back after an hour at the latest: the next hour, or a sign-in, may admit them. */
const longestWait = hour;

export type RateLimits = ReturnType<typeof createRateLimits>;

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
  const limits = new Map(
    Object.entries(table).map(([name, limit]) => [name, withDay(limit, chatsPerDay)] as const),
  );
  const countsFor = (name: LimitName, caller: Caller): Count[] => {
    const limit = limits.get(name);
    return limit === undefined ? [] : countsOf(name, limit, caller, hasCustomers ? guestsPart : 1);
  };

  function requireAdmitted(counted: Refusal | GiveBack, caller: Caller): GiveBack {
    if (typeof counted === "function") return counted;
    caller.note?.({ limitedBy: counted.bucket });
    const retryAfterSeconds = Math.min(longestWait, Math.max(1, Math.ceil(counted.wait / 1_000)));
    throw new ChatApiError("rate_limited", { retryAfterSeconds });
  }

  return {
    /** Counts a request whose caller is not known yet. @throws ChatApiError `rate_limited` */
    admitAddress(caller: Caller): void {
      requireAdmitted(inProcess.count(countsFor("identify", caller)), caller);
    },
    /**
     * The returned function gives the count back if the call has created nothing.
     * @throws ChatApiError `rate_limited` with `retryAfterSeconds`.
     */
    async consume(limit: LimitName, caller: Caller): Promise<GiveBack> {
      const counts = countsFor(limit, caller);
      // Health checks do not wait for Redis.
      if (counts.length === 0) return () => undefined;
      return requireAdmitted(await (inRedis ?? inProcess).count(counts), caller);
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

/** What a call of this caller adds to, in the order of the checks. */
function countsOf(name: LimitName, limit: RateLimit, caller: Caller, guests: number): Count[] {
  const { session, address } = caller;
  const count = (
    holder: string,
    rate: Rate,
    key: string | undefined,
    busyCalls: Count["busyCalls"] = rate.calls,
  ) => (key === undefined ? [] : [{ bucket: `${name}:${holder}:${rate.seconds}`, key, ...rate, busyCalls }]);
  const [ownAddress, sharedAddress] = address?.isShared ? [undefined, address] : [address, undefined];
  const site = ownAddress?.site === ownAddress?.host ? undefined : ownAddress?.site;
  const isCustomer = session !== undefined && session.customer !== null;
  const allowed = isCustomer ? 1 : guests;

  function total(rate: Rate): Count[] {
    if (isCustomer || address === undefined) return count("everyone", part(rate, allowed), "all");
    const busy = part(rate, busyPart);
    // The callers of a shared address may have any network.
    if (address.isShared) return count("everyone", busy, "all");
    return [
      ...count("network", part(rate, networkPart), address.network, "share"),
      ...count("everyone", part(rate, allowed), "all", busy.calls),
    ];
  }

  return [
    ...limit.perSession.flatMap((rate) => count("session", rate, session?.id)),
    ...limit.perAddress.flatMap((rate) => [
      ...count("address", rate, ownAddress?.host),
      ...count("site", part(rate, hostsPerSite), site),
    ]),
    ...(limit.perSharedAddress ?? []).flatMap((rate) => count("shared-address", rate, sharedAddress?.site)),
    ...limit.everyone.flatMap((rate) => [
      ...count("shared-address", part(rate, sharedAddressPart * allowed), sharedAddress?.site),
      ...total(rate),
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
