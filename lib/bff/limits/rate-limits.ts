/**
 * Rate limits. Each call counts for its session, for its address, and in a total that keeps one BFF below the
 * Chat API's limits per channel. A call that a limit refuses counts in no later one, so one session or
 * address cannot use up the total. The last eighth of a total is for customers who are signed in.
 */
import { LRUCache } from "lru-cache";
import { ChatApiError } from "../../chat-api/errors.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { LogFacts } from "../observability/observe.ts";
import type { Session } from "../session/guest-sessions.ts";
import { type CallCounts, type Rate, windowAt } from "./call-counts.ts";
import type { CallerAddress } from "./caller-address.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export interface RateLimit {
  /** Limits of a caller: a customer, or a guest's session. */
  perSession: readonly Rate[];
  perAddress: readonly Rate[];
  /**
   * Limits of an address that many callers may share, instead of `perAddress`. Default: half of the total.
   */
  perSharedAddress?: readonly Rate[];
  total: readonly Rate[];
}

const perMinute = (calls: number): Rate[] => [{ calls, seconds: minute }];

/** The most of a day's total that one hour may use, and the least that it gets. */
const hourPart = 1 / 6;
const hourMinimum = 10;

/**
 * A person writes a few messages a minute, and a page reads a few times for each. The limits per session and
 * address are several times higher. The totals are the load that one process should carry and, for chats, the
 * number that a plan can afford.
 */
export function rateLimitTable(chatsPerDay: number) {
  const chatsPerHour = Math.min(chatsPerDay, Math.max(hourMinimum, Math.ceil(chatsPerDay * hourPart)));
  return {
    /**
     * Checked before the host is asked for the caller, so that a flood does not reach its session store.
     * Counts every request in this process alone, and is as high as the other limits together. It has no
     * total: no caller is known to be a customer yet, so a flood of guests would use up the customers' part.
     */
    identify: {
      perSession: [],
      perAddress: perMinute(2_400),
      perSharedAddress: perMinute(30_000),
      total: [],
    },
    /** A new session costs nothing, but a million of them would make the limits per session worthless. */
    newSession: { perSession: [], perAddress: perMinute(60), total: perMinute(1_200) },
    read: { perSession: perMinute(240), perAddress: perMinute(1_200), total: perMinute(30_000) },
    /** A search through many pages, which also counts in `read`: it costs the Chat API one read of each. */
    latest: { perSession: perMinute(60), perAddress: perMinute(300), total: perMinute(3_000) },
    /**
     * Limits in addition to `send`. Every chat counts against the shop's plan, so no address gets more than a
     * tenth of the default day, and nobody can use up a day's total in a few minutes. An office, or the
     * customers of a mobile carrier, share an address: they get what fifty people start who ask twice an
     * hour. A request that has certainly created no chat counts as a message alone.
     */
    createChat: {
      perSession: [...perMinute(10), { calls: 40, seconds: day }],
      perAddress: [
        { calls: 100, seconds: hour },
        { calls: 500, seconds: day },
      ],
      total: [
        { calls: chatsPerHour, seconds: hour },
        { calls: chatsPerDay, seconds: day },
      ],
    },
    send: { perSession: perMinute(30), perAddress: perMinute(120), total: perMinute(3_000) },
    upload: { perSession: perMinute(20), perAddress: perMinute(60), total: perMinute(600) },
    download: { perSession: perMinute(120), perAddress: perMinute(600), total: perMinute(6_000) },
    /** Health checks, metrics and the widget. If anyone could use up a limit, the shop would look dead. */
    check: { perSession: [], perAddress: [], total: [] },
  } satisfies Record<string, RateLimit>;
}

export type LimitName = keyof ReturnType<typeof rateLimitTable>;
/** Limits by name. A name without an entry has no limit. */
export type RateLimitTable = Readonly<Partial<Record<LimitName, RateLimit>>>;

export interface Caller {
  session: Session | undefined;
  address: CallerAddress | undefined;
  /** Adds to the request's log line. */
  note?: ((facts: LogFacts) => void) | undefined;
}

/** The part of a total that guests may use. */
const guestsPart = 0.875;
const sharedAddressPart = 0.5;

/**
 * The longest wait, in seconds. Callers come back after an hour at the latest: the next hour, or a sign-in,
 * may admit them.
 */
const longestWait = hour;

/** Takes back the counts of a call that has created nothing. Called once. */
export type GiveBack = () => void;

export type RateLimits = ReturnType<typeof createRateLimits>;

export interface RateLimitOptions {
  /** The chat server's base path: servers that share a store count apart. */
  basePath: string;
  /** The process's own counts, and the counts that it shares with others. */
  own: CallCounts;
  shared: CallCounts;
  /** True if callers can be signed in. Without a sign-in nothing is reserved for customers. */
  hasCustomers: boolean;
  clock: () => number;
  table: RateLimitTable;
}

export function createRateLimits(options: RateLimitOptions) {
  const { basePath, own, shared, hasCustomers, clock, table } = options;
  /**
   * The returned function gives the counts back if the call has created nothing.
   * @throws ChatApiError `rate_limited` with `retryAfterSeconds`.
   */
  async function consume(name: LimitName, caller: Caller): Promise<GiveBack> {
    const limit = table[name];
    if (limit === undefined) return () => undefined;
    const counts = name === "identify" ? own : shared;
    const counted: [key: string, rate: Rate][] = [];
    const giveBack = () => {
      for (const [key, rate] of counted) void counts.count(key, rate, -1);
    };
    for (const { holder, rate, id } of bucketsOf(limit, caller, hasCustomers)) {
      const bucket = `${name}:${holder}:${rate.seconds}`;
      const now = clock();
      const window = windowAt(now, rate.seconds);
      const key = `${basePath}:${bucket}:${window}:${id}`;
      if ((await counts.count(key, rate, 1)) > rate.calls) {
        giveBack();
        caller.note?.({ limitedBy: bucket });
        const wait = Math.ceil((window + 1) * rate.seconds - now / 1_000);
        throw new ChatApiError("rate_limited", {
          retryAfterSeconds: Math.min(longestWait, Math.max(1, wait)),
        });
      }
      counted.push([key, rate]);
    }
    return giveBack;
  }

  const countedKeys = new LRUCache<string, Promise<GiveBack>>({ max: bffLimits.countedKeys });

  /**
   * Counts all calls under one idempotency key once in this process, because one whose outcome is unknown is
   * repeated. The returned function is for a call that has created nothing.
   */
  async function consumeOnce(name: LimitName, key: string, caller: Caller): Promise<GiveBack> {
    const first = countedKeys.get(key);
    if (first !== undefined) {
      await first;
      return () => undefined;
    }
    const counting = consume(name, caller);
    countedKeys.set(key, counting);
    const forget = () => void countedKeys.delete(key);
    const giveBack = await counting.catch((error: unknown) => {
      forget();
      throw error;
    });
    return () => {
      forget();
      giveBack();
    };
  }

  return { consume, consumeOnce };
}

interface Bucket {
  holder: "session" | "address" | "guests" | "total";
  rate: Rate;
  /** Whose calls this bucket counts. */
  id: string;
}

/** The counts that a call of this caller adds to, in the order of the checks. */
function bucketsOf(limit: RateLimit, { session, address }: Caller, hasCustomers: boolean): Bucket[] {
  const isCustomer = session !== undefined && session.customer !== null;
  const buckets = (holder: Bucket["holder"], rates: readonly Rate[], id: string | undefined, part = 1) =>
    id === undefined
      ? []
      : rates.map(({ calls, seconds }) => ({
          holder,
          rate: { calls: Math.ceil(calls * part), seconds },
          id,
        }));
  // Customers behind a shared address keep what is reserved for them.
  const host = isCustomer && address?.isShared ? undefined : address?.host;
  const ofSharedAddress = limit.perSharedAddress
    ? buckets("address", limit.perSharedAddress, host)
    : buckets("address", limit.total, host, sharedAddressPart);
  return [
    ...buckets("session", limit.perSession, session?.id),
    ...(address?.isShared ? ofSharedAddress : buckets("address", limit.perAddress, host)),
    ...(hasCustomers && !isCustomer ? buckets("guests", limit.total, "all", guestsPart) : []),
    ...buckets("total", limit.total, "all"),
  ];
}
