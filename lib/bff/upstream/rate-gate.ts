/**
 * Holds back calls after `rate_limited`, but only those that the error concerns. An error for one chat delays
 * no other chat, unless the Chat API's responses show that the limit is shared.
 */
import { LRUCache } from "lru-cache";
import { headerNames } from "../../chat-api/headers.ts";
import type { OperationName } from "../../chat-api/operations.ts";
import type { AnswerHeaders } from "../../chat-client/exchange.ts";

const second = 1_000;
/**
 * The gate holds calls back no longer than this, so that a wrong `Retry-After` cannot block the shop for
 * days.
 */
const longestGate = 60 * second;
/** The wait after a `rate_limited` that names none. */
const defaultWait = second;
/** Remembered waits, one per operation and chat or customer. */
const rememberedRefusals = 10_000;

/** The customer and chat of a request to the Chat API. */
export interface UpstreamCaller {
  /** The customer's `userId`. */
  customer: string;
  /** Undefined for a call without a chat. */
  chatId: string | undefined;
}

/** The parts of the `RateLimit-*` headers that can be read without their units, which are not specified. */
export interface RateHeaders {
  limit: string;
  isUsedUp: boolean;
}

export function readRateHeaders(headers: Pick<AnswerHeaders, "get">): RateHeaders | undefined {
  const limit = headers.get(headerNames.rateLimitLimit);
  if (limit === null) return undefined;
  const remaining = headers.get(headerNames.rateLimitRemaining)?.trim() ?? "";
  return { limit, isUsedUp: remaining !== "" && Number(remaining) === 0 };
}

export interface RateRefusal {
  caller: UpstreamCaller;
  operation: OperationName;
  retryAfterSeconds: number | undefined;
  rate: RateHeaders | undefined;
}

export function createRateGate(now: () => number) {
  // End of the wait by operation and chat or customer.
  const until = new LRUCache<string, number>({ max: rememberedRefusals });
  let everyoneUntil = 0;
  // Customers refused since the last served call.
  const refusedCustomers = new Set<string>();
  // The limits in the latest responses to the last two served customers.
  let latest: { customer: string; limit: string }[] = [];

  const keyOf = ({ customer, chatId }: UpstreamCaller, operation: OperationName) =>
    `${operation} ${chatId ?? customer}`;

  /** True if another customer's latest response named the same limit. */
  const isOthersLimit = ({ customer }: UpstreamCaller, rate: RateHeaders) =>
    latest.some((other) => other.customer !== customer && other.limit === rate.limit);

  return {
    /** Milliseconds until this operation may be called; 0 or less if it may be called now. */
    wait: (caller: UpstreamCaller, operation: OperationName) =>
      Math.max(until.get(keyOf(caller, operation)) ?? 0, everyoneUntil) - now(),
    refused({ caller, operation, retryAfterSeconds, rate }: RateRefusal) {
      const asked = (retryAfterSeconds ?? 0) * second || defaultWait;
      const end = now() + Math.min(asked, longestGate);
      const key = keyOf(caller, operation);
      // A later, shorter wait does not shorten an earlier one.
      until.set(key, Math.max(until.get(key) ?? 0, end));
      refusedCustomers.add(caller.customer);
      const isEveryones = rate?.isUsedUp === true && isOthersLimit(caller, rate);
      if (isEveryones || refusedCustomers.size > 1) everyoneUntil = Math.max(everyoneUntil, end);
    },
    served({ customer }: UpstreamCaller, rate: RateHeaders | undefined) {
      refusedCustomers.clear();
      if (rate === undefined) return;
      const others = latest.filter((other) => other.customer !== customer);
      latest = [{ customer, limit: rate.limit }, ...others.slice(0, 1)];
    },
  };
}
