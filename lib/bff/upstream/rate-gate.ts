/**
 * Holds back calls after `rate_limited`. An error for one chat delays no other chat: a caller can use up a
 * limit of its own at will. The gate closes for all callers only after errors of several, because that shows
 * a limit of the whole channel. The `RateLimit-*` headers do not: equal limits may be each caller's own.
 */
import { LRUCache } from "lru-cache";
import type { OperationName } from "../../chat-api/operations.ts";

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
/** The gate closes for all after refusals of this many customers within `longestGate`, with nobody served. */
const customersOfSharedLimit = 5;
/** How often a gate that is closed for all lets a call through. */
const probeInterval = second;

/** The customer and chat of a request to the Chat API. */
export interface UpstreamCaller {
  /** The customer's `userId`. */
  customer: string;
  /** Undefined for a call without a chat. */
  chatId: string | undefined;
}

export interface RateRefusal {
  caller: UpstreamCaller;
  operation: OperationName;
  retryAfterSeconds: number | undefined;
}

export function createRateGate(now: () => number) {
  // End of the wait by operation and chat or customer.
  const until = new LRUCache<string, number>({ max: rememberedRefusals });
  let everyoneUntil = 0;
  let probeAt = 0;
  // The latest refusal of each of the latest customers since the last served call.
  let refusals: { customer: string; at: number }[] = [];

  const keyOf = ({ customer, chatId }: UpstreamCaller, operation: OperationName) =>
    `${operation} ${chatId ?? customer}`;

  return {
    /**
     * Milliseconds until this operation may be called; 0 or less if it may be called now. While the gate is
     * closed for all, one call a second may be made now, as a probe.
     */
    admit(caller: UpstreamCaller, operation: OperationName): number {
      const own = (until.get(keyOf(caller, operation)) ?? 0) - now();
      const everyones = everyoneUntil - now();
      if (own > 0 || everyones <= 0 || now() < probeAt) return Math.max(own, everyones);
      probeAt = now() + probeInterval;
      return 0;
    },
    refused({ caller, operation, retryAfterSeconds }: RateRefusal) {
      const at = now();
      const end = at + Math.min((retryAfterSeconds ?? 0) * second || defaultWait, longestGate);
      const key = keyOf(caller, operation);
      // A later, shorter wait does not shorten an earlier one.
      until.set(key, Math.max(until.get(key) ?? 0, end));
      const { customer } = caller;
      const others = refusals.filter((one) => one.customer !== customer && at - one.at < longestGate);
      refusals = [...others, { customer, at }].slice(-customersOfSharedLimit);
      if (refusals.length < customersOfSharedLimit) return;
      if (everyoneUntil <= at) probeAt = at + probeInterval;
      everyoneUntil = Math.max(everyoneUntil, end);
    },
    /** Opens the gate for all; the waits of refused callers stay. */
    served() {
      refusals = [];
      everyoneUntil = 0;
    },
  };
}
