/**
 * What all calls of a process share, so that retries never make an outage worse: one gate that a `rate_limited` closes
 * for everyone, a breaker that lets single probes through while the Chat API is away or refuses the key, and a budget of
 * repetitions. Wraps the client's retry policy.
 */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { ChatConnectionError } from "#lib/chat-client/errors.ts";
import type { Attempt, AttemptError, RetryPolicy } from "#lib/chat-client/retry-policy.ts";
import { sleep as realSleep, type Sleep } from "#lib/chat-client/sleep.ts";

const second = 1_000;

/** So many failures in a row, of any calls, are an outage and not bad luck. */
const outageFailures = 5;
const outageProbeInterval = 2 * second;
/** A wrong key needs a person; asking more often would only look like guessing. */
const keyProbeInterval = 30 * second;
/** A longer wait is left to the browser, which can show it. */
const longestGateWait = 2 * second;
const gateJitter = 0.2;
/** Who asked waits as long as they were told; others may have to wait less, and a wrong time must not shut the shop for days. */
const longestGate = 60 * second;
/** Where `rate_limited` names no time. */
const unnamedGateTime = second;

/** In tenths of a repetition: one for ten requests, and one a second for quiet processes; saved up to ten. */
const budget = { perRequest: 1, perSecond: 10, burst: 100, repetition: 10 };

export interface CircuitOptions {
  policy: RetryPolicy;
  /** A clock that never goes back, in milliseconds. */
  now?: () => number;
  sleep?: Sleep;
  random?: () => number;
}

export function createCircuit({
  policy,
  now = () => performance.now(),
  sleep = realSleep,
  random = Math.random,
}: CircuitOptions): RetryPolicy {
  // Until then every call waits: moved forward by each `rate_limited`.
  let gateUntil = 0;
  // Failures since the last answer that was one. At `outageFailures` the breaker opens.
  let failures = 0;
  // When the next probe may pass an open breaker; undefined while it is closed.
  let probeAt: number | undefined;
  let probeInterval = outageProbeInterval;
  /** Why it is open: what those are told who are not let through. */
  let openBecause: "outage" | "key" = "outage";
  let tokens = budget.burst;
  let refilledAt = now();
  // Refusals of our own come back through `observe`: they say nothing about the Chat API.
  const own = new WeakSet<Error>();

  function refuse<E extends AttemptError>(error: E): E {
    own.add(error);
    return error;
  }

  async function passGate({ signal }: Attempt) {
    const wait = gateUntil - now();
    if (wait <= 0) return;
    if (wait > longestGateWait) {
      throw refuse(new ChatApiError("rate_limited", { retryAfterSeconds: Math.ceil(wait / second) }));
    }
    await sleep(wait * (1 + random() * gateJitter), signal);
  }

  function passBreaker({ operation }: Attempt) {
    if (probeAt === undefined) return;
    if (now() < probeAt) {
      throw refuse(
        openBecause === "key"
          ? new ChatApiError("invalid_api_key")
          : new ChatConnectionError(operation, "unreachable", "CIRCUIT_OPEN"),
      );
    }
    // This one is the probe; the others go on waiting for what it finds.
    probeAt = now() + probeInterval;
  }

  function open(because: typeof openBecause, interval: number) {
    openBecause = because;
    probeInterval = interval;
    probeAt = now() + interval;
  }

  function close() {
    failures = 0;
    probeAt = undefined;
  }

  function fail() {
    failures += 1;
    if (failures >= outageFailures) open("outage", outageProbeInterval);
  }

  function refill() {
    tokens = Math.min(budget.burst, tokens + ((now() - refilledAt) / second) * budget.perSecond);
    refilledAt = now();
  }

  return {
    async admit(attempt) {
      await passGate(attempt);
      passBreaker(attempt);
      if (attempt.number === 1) tokens = Math.min(budget.burst, tokens + budget.perRequest);
      await policy.admit?.(attempt);
    },
    observe(attempt, error) {
      policy.observe?.(attempt, error);
      if (error === undefined) close();
      else if (own.has(error)) return;
      else if (error instanceof ChatConnectionError) {
        // A stream that is cut had been served until then.
        if (error.fault !== "cut") fail();
      } else if (error instanceof ChatApiError) {
        if (error.code === "invalid_api_key") open("key", keyProbeInterval);
        else if (error.code === "service_unavailable") fail();
        else close();
        if (error.code === "rate_limited") {
          const wait = (error.retryAfterSeconds ?? 0) * second || unnamedGateTime;
          gateUntil = Math.max(gateUntil, now() + Math.min(wait, longestGate));
        }
      }
    },
    delay(failed) {
      const wait = policy.delay(failed);
      // A stream that is taken up again goes on with work that is under way, and the breaker holds it back in an outage.
      if (wait === null || failed.streams) return wait;
      refill();
      if (tokens < budget.repetition) return null;
      tokens -= budget.repetition;
      return wait;
    },
  };
}
