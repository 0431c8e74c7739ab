/**
 * How often customers may call. Three buckets hold at once: the session's, the address's (only behind proxies of
 * ours, since anyone can write `X-Forwarded-For`) and everyone's together, which keeps one BFF below what the Chat API
 * grants to the whole channel.
 */
import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { callerAddress } from "./caller-address.ts";
import type { Config } from "./env.ts";
import type { Logger } from "./log.ts";
import type { Session } from "./session.ts";

const minute = 60;
const day = 24 * 60 * minute;

/** Calls in so many seconds. */
interface Rate {
  calls: number;
  seconds: number;
}

interface Limit {
  perSession: readonly Rate[];
  perAddress: readonly Rate[];
  everyone: readonly Rate[];
  /** Set where a repetition under its idempotency key makes nothing new: it counts as this instead. */
  repetition?: string;
}

const perMinute = (calls: number): Rate => ({ calls, seconds: minute });

/**
 * A person writes a few messages a minute and a page reads a few times for each; the numbers are several times that.
 * Everyone's together is what one process is expected to carry, and for chats what a plan can bear.
 */
export const rateLimitTable = {
  /** A new one costs nothing, but a million of them make every other session's bucket worthless. */
  newSession: { perSession: [perMinute(60)], perAddress: [perMinute(60)], everyone: [perMinute(1_200)] },
  read: { perSession: [perMinute(240)], perAddress: [perMinute(1_200)], everyone: [perMinute(30_000)] },
  /** The opening of a chat, which may cost the Chat API a read for each page of it. */
  latest: { perSession: [perMinute(60)], perAddress: [perMinute(300)], everyone: [perMinute(3_000)] },
  /** Every chat counts against the shop's plan. The chat asks again by itself while the Chat API is busy: for the same one. */
  createChat: {
    repetition: "send",
    perSession: [perMinute(3), { calls: 20, seconds: day }],
    perAddress: [perMinute(10), { calls: 100, seconds: day }],
    everyone: [perMinute(300)],
  },
  send: { perSession: [perMinute(30)], perAddress: [perMinute(120)], everyone: [perMinute(3_000)] },
  upload: { perSession: [perMinute(20)], perAddress: [perMinute(60)], everyone: [perMinute(600)] },
  download: { perSession: [perMinute(120)], perAddress: [perMinute(600)], everyone: [perMinute(6_000)] },
  /** A person looks for a few orders; a program that guesses references is slowed down. */
  findOrder: { perSession: [perMinute(10)], perAddress: [perMinute(30)], everyone: [perMinute(300)] },
  /** Health checks and metrics: an allowance of everyone's could be used up by anyone, and the shop would look dead. */
  check: { perSession: [], perAddress: [], everyone: [] },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof rateLimitTable;
/** A name that is missing has no limit. */
export type RateLimitTable = Readonly<Partial<Record<LimitName, Limit>>>;

export interface Caller {
  request: Request;
  session: Session | undefined;
}

/** Longer than a customer tries again by hand. */
const repetitionSeconds = 60 * minute;

export interface RateLimits {
  /** @throws ChatApiError `rate_limited` with the seconds to wait. */
  consume(limit: LimitName, caller: Caller): Promise<void>;
  close(): Promise<void>;
}

interface Bucket {
  limiter: RateLimiterAbstract;
  key(caller: Caller): string | undefined;
}

export interface RateLimitOptions {
  config: Pick<Config, "redisUrl" | "trustProxyHops">;
  log: Logger;
  table?: RateLimitTable | undefined;
}

export function createRateLimits({ config, log, table = rateLimitTable }: RateLimitOptions): RateLimits {
  const redis = config.redisUrl === undefined ? undefined : connect(config.redisUrl, log);

  const createLimiter = (keyPrefix: string, { calls, seconds }: Rate): RateLimiterAbstract => {
    const options = { keyPrefix: `chat:${keyPrefix}:${seconds}`, points: calls, duration: seconds };
    const inMemory = new RateLimiterMemory(options);
    // While Redis is away each process counts for itself: customers keep chatting, and limits still hold.
    return redis === undefined
      ? inMemory
      : new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: inMemory });
  };
  const bucketsOf = (name: string, limit: Limit): Bucket[] => [
    ...limit.perSession.map((rate) => ({
      limiter: createLimiter(`${name}:session`, rate),
      key: ({ session }: Caller) => session && shortKey(session.seal),
    })),
    ...limit.perAddress.map((rate) => ({
      limiter: createLimiter(`${name}:address`, rate),
      key: ({ request }: Caller) => {
        const address = callerAddress(request, config.trustProxyHops);
        return address && shortKey(address);
      },
    })),
    ...limit.everyone.map((rate) => ({ limiter: createLimiter(`${name}:everyone`, rate), key: () => "all" })),
  ];
  const limits: Readonly<Record<string, Limit | undefined>> = table;
  const buckets = new Map(Object.entries(table).map(([name, limit]) => [name, bucketsOf(name, limit)]));
  // The requests that were counted: at most as many as their limit let through in this time.
  const counted = createLimiter("counted", { calls: 1, seconds: repetitionSeconds });

  async function consumeAll(limit: string, caller: Caller) {
    for (const bucket of buckets.get(limit) ?? []) {
      const key = bucket.key(caller);
      if (key !== undefined) await consumeOne(bucket.limiter, key);
    }
  }

  return {
    async consume(limit, caller) {
      const repetition = limits[limit]?.repetition;
      const key = repetition === undefined ? undefined : requestKey(limit, caller);
      if (repetition === undefined || key === undefined) return consumeAll(limit, caller);
      if ((await counted.get(key)) !== null) return consumeAll(repetition, caller);
      await consumeAll(limit, caller);
      await counted.set(key, 1, repetitionSeconds);
    },
    async close() {
      redis?.disconnect();
    },
  };
}

/** Keys are hashed: a header of any length becomes a short one, and a copy of Redis names no customer. */
function shortKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 22);
}

/** Names a request that the browser repeats; undefined where it has no key to be known by. */
function requestKey(limit: string, { request, session }: Caller): string | undefined {
  const key = request.headers.get(headerNames.idempotencyKey);
  return key === null || session === undefined ? undefined : shortKey(`${limit}\n${session.seal}\n${key}`);
}

async function consumeOne(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new ChatApiError("rate_limited", { retryAfterSeconds });
  }
}

function connect(url: string, log: Logger): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500 });
  redis.on("error", (error: Error) => {
    log.warn(
      { event: "redis_unreachable", reason: error.name },
      "Redis is away: limits count per process until it is back",
    );
  });
  return redis;
}
