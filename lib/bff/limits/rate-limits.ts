/**
 * Rate limits. Each call counts in several buckets: the session's, the address's, and a total that keeps one
 * BFF below the Chat API's limits per channel. No single address can use up the total: it gets a part.
 * Another part is reserved for established sessions, because new ones (newcomers) cost nothing to create.
 */
import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { ChatApiError } from "../../chat-api/errors.ts";
import { headerNames } from "../../chat-api/headers.ts";
import { bffLimits } from "../configuration/limits.ts";
import { requireOptional } from "../configuration/optional-package.ts";
import type { ChatRequest } from "../exchange/chat-request.ts";
import type { LogFacts, Logger } from "../observability/log.ts";
import type { Session } from "../session/guest-sessions.ts";
import { createCallCounter } from "./call-counter.ts";
import type { CallerAddress } from "./caller-address.ts";

const minute = 60;
const day = 24 * 60 * minute;

interface Rate {
  calls: number;
  seconds: number;
}

export interface RateLimit {
  /** Per caller: a customer, or a guest's session. */
  perSession: readonly Rate[];
  perAddress: readonly Rate[];
  everyone: readonly Rate[];
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
  /** A new session costs nothing, but a million of them would make the limits per session worthless. */
  newSession: { perSession: [perMinute(60)], perAddress: [perMinute(60)], everyone: [perMinute(1_200)] },
  read: { perSession: [perMinute(240)], perAddress: [perMinute(1_200)], everyone: [perMinute(30_000)] },
  /** Opening a chat may cost the Chat API one read per page. */
  latest: { perSession: [perMinute(60)], perAddress: [perMinute(300)], everyone: [perMinute(3_000)] },
  /**
   * Every chat counts against the shop's plan. While the Chat API is busy, the page repeats the request for
   * the same chat.
   */
  createChat: {
    repetition: "send",
    perSession: [perMinute(3), { calls: 20, seconds: day }],
    perAddress: [perMinute(10), { calls: 100, seconds: day }],
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
  request: ChatRequest;
  session: Session | undefined;
  address: CallerAddress | undefined;
  /** Adds to the request's log line. */
  note?: ((facts: LogFacts) => void) | undefined;
}

/**
 * An IPv6 customer with a /48 prefix has 65,536 /64 prefixes. Together they get the allowance of this many.
 */
const hostsPerSite = 4;
/** Shares of the total. */
const newcomersPart = 0.75;
const sharedAddressPart = 0.5;

/** How long a counted request is remembered: longer than a customer retries by hand. */
const repetitionSeconds = 60 * minute;

export type RateLimits = ReturnType<typeof createRateLimits>;

interface BucketSpec {
  /** Unique, because Redis distinguishes buckets by their names. */
  name: string;
  rate: Rate;
  /** Undefined if the bucket does not count this caller. */
  key(caller: Caller): string | undefined;
}

/** Runs `use` with the current store: Redis, or this process's memory while Redis is unavailable. */
type Limiter = <T>(use: (store: RateLimiterAbstract) => Promise<T>) => Promise<T>;

interface Bucket extends Pick<BucketSpec, "name" | "key"> {
  /** Milliseconds to wait; 0 if the call is within the limit. A promise when Redis is asked. */
  count(key: string): number | Promise<number>;
}

export interface RateLimitOptions {
  redisUrl: string | undefined;
  chatsPerDay: number;
  log: Logger;
  clock?: (() => number) | undefined;
  table: RateLimitTable;
}

export function createRateLimits(options: RateLimitOptions) {
  const { redisUrl, chatsPerDay, log, clock = Date.now, table } = options;
  const redis = redisUrl === undefined ? undefined : connect(redisUrl, log);

  const createLimiter = (keyPrefix: string, { calls, seconds }: Rate): Limiter => {
    const settings = { keyPrefix, points: calls, duration: seconds };
    const inMemory = new RateLimiterMemory(settings);
    if (redis === undefined) return (use) => use(inMemory);
    const inRedis = new RateLimiterRedis({ ...settings, storeClient: redis.client });
    return (use) =>
      redis.orElse(
        () => use(inRedis),
        () => use(inMemory),
      );
  };
  const createBucket = ({ name, rate, key }: BucketSpec): Bucket => {
    if (redis === undefined) {
      const milliseconds = rate.seconds * 1_000;
      return {
        name,
        key,
        ...createCallCounter({ calls: rate.calls, milliseconds, clock: () => Date.now() }),
      };
    }
    const limiter = createLimiter(`chat:${name}`, rate);
    return { name, key, count: (given) => limiter((store) => consume(store, shortKey(given))) };
  };
  const isNewcomer = ({ session }: Caller) =>
    session === undefined || session.startedAt + bffLimits.newcomerTime > clock();
  const specs = Object.entries(table).map(([name, limit]): [string, BucketSpec[]] => [
    name,
    bucketsOf(name, withDay(limit, chatsPerDay), isNewcomer),
  ]);

  const limits: Readonly<Record<string, RateLimit | undefined>> = table;
  const buckets = new Map(specs.map(([name, ofLimit]) => [name, ofLimit.map(createBucket)]));
  // Remembers counted requests; there are at most as many as the limits admit in this time.
  const counted = createLimiter("chat:counted", { calls: 1, seconds: repetitionSeconds });

  async function consumeAll(limit: string, caller: Caller) {
    for (const { name, key, count } of buckets.get(limit) ?? []) {
      const given = key(caller);
      if (given === undefined) continue;
      const counted = count(given);
      const wait = typeof counted === "number" ? counted : await counted;
      if (wait <= 0) continue;
      caller.note?.({ limitedBy: name });
      throw new ChatApiError("rate_limited", { retryAfterSeconds: Math.max(1, Math.ceil(wait / 1_000)) });
    }
  }

  return {
    /** @throws ChatApiError `rate_limited` with `retryAfterSeconds`. */
    async consume(limit: LimitName, caller: Caller) {
      const repetition = limits[limit]?.repetition;
      const key = repetition === undefined ? undefined : requestKey(limit, caller);
      if (repetition === undefined || key === undefined) return consumeAll(limit, caller);
      if ((await counted((store) => store.get(key))) !== null) return consumeAll(repetition, caller);
      await consumeAll(limit, caller);
      await counted((store) => store.set(key, 1, repetitionSeconds));
    },
    async close() {
      redis?.client.disconnect();
    },
  };
}

const part = ({ calls, seconds }: Rate, factor: number): Rate => ({
  calls: Math.ceil(calls * factor),
  seconds,
});

/** A limit's buckets in the order of counting. A request over one limit is not counted in the later ones. */
function bucketsOf(
  limitName: string,
  limit: RateLimit,
  isNewcomer: (caller: Caller) => boolean,
): BucketSpec[] {
  const bucket = (holder: string, rate: Rate, key: BucketSpec["key"]): BucketSpec => ({
    name: `${limitName}:${holder}:${rate.seconds}`,
    rate,
    key,
  });
  const withReserve = (holder: string, rate: Rate, key: BucketSpec["key"]): BucketSpec[] => [
    bucket(`${holder}-newcomers`, part(rate, newcomersPart), (caller) =>
      isNewcomer(caller) ? key(caller) : undefined,
    ),
    bucket(holder, rate, key),
  ];
  return [
    ...limit.perSession.map((rate) => bucket("session", rate, ({ session }) => session?.id)),
    ...limit.perAddress.flatMap((rate) => [
      bucket("address", rate, ({ address }) => (address?.isShared === false ? address.host : undefined)),
      bucket("site", part(rate, hostsPerSite), ({ address }) =>
        address?.isShared === false && address.site !== address.host ? address.site : undefined,
      ),
    ]),
    ...limit.everyone.flatMap((rate) => [
      ...withReserve("shared-address", part(rate, sharedAddressPart), ({ address }) =>
        address?.isShared === true ? address.site : undefined,
      ),
      ...withReserve("everyone", rate, () => "all"),
    ]),
  ];
}

function withDay(limit: RateLimit, calls: number): RateLimit {
  if (limit.everyonePerDay === undefined) return limit;
  return {
    ...limit,
    everyone: [...limit.everyone, { calls, seconds: day }],
  };
}

/** Hashes keys, because a caller's header may have any length and Redis must not store customer IDs. */
function shortKey(key: string): string {
  return hash("sha256", key, "base64url").slice(0, 22);
}

/** Identifies a request that the browser repeats; undefined without an idempotency key. */
function requestKey(limit: string, { request, session }: Caller): string | undefined {
  const key = request.headers.get(headerNames.idempotencyKey);
  return key === null || session === undefined ? undefined : shortKey(`${limit}\n${session.id}\n${key}`);
}

/** Milliseconds to wait; 0 if the call is within the limit. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, refusal.msBeforeNext);
  }
}

interface SharedStore {
  client: Redis;
  /** Uses Redis, or this process's own counts while Redis is unavailable. */
  orElse<T>(shared: () => Promise<T>, own: () => Promise<T>): Promise<T>;
}

/** How long a command waits for Redis, and for how long Redis is skipped after a failure. */
const commandTimeout = 500;
const skipTime = 5_000;

function connect(url: string, log: Logger): SharedStore {
  const client = new (requireOptional("ioredis").Redis)(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout,
  });
  const warn = (error: unknown) =>
    log.warn(
      { event: "redis_unreachable", reason: error instanceof Error ? error.name : "unknown" },
      "Redis is unavailable: limits count per process until it is back",
    );
  client.on("error", warn);

  // A request uses several commands: while Redis hangs, only one of them waits for it.
  let isUnavailable = false;
  let nextTry = 0;
  return {
    client,
    async orElse(shared, own) {
      const now = performance.now();
      if (client.status !== "ready" || (isUnavailable && now < nextTry)) return own();
      nextTry = now + skipTime;
      try {
        const result = await shared();
        isUnavailable = false;
        return result;
      } catch (error) {
        if (!isUnavailable) warn(error);
        isUnavailable = true;
        nextTry = performance.now() + skipTime;
        return own();
      }
    },
  };
}
