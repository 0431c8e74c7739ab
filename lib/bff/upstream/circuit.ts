/**
 * State shared by all calls of a process, so that retries never make an outage worse: a gate for
 * `rate_limited`, a circuit breaker that lets single probes through while the Chat API is unreachable or
 * rejects the key, and a budget of retries. Wraps the client's retry policy.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import { ChatConnectionError } from "../../chat-client/errors.ts";
import { sleep as realSleep, type Sleep } from "../../chat-client/retry.ts";
import type { Attempt, AttemptError, RetryPolicy } from "../../chat-client/retry-policy.ts";
import { createRateGate, type UpstreamCaller } from "./rate-gate.ts";

const second = 1_000;

/** This many failures in a row, of any calls, are an outage. */
const outageFailures = 5;
/**
 * How often the open breaker admits a probe. A wrong key needs a person, and more probes would look like
 * guessing.
 */
const probeIntervals = { outage: 2 * second, key: 30 * second };
/** Longer waits are left to the browser, which shows them to the customer. */
const longestGateWait = 2 * second;
const gateJitter = 0.2;

/** In tenths of a retry. Requests earn retries; time also does, for quiet processes. */
const budget = { perRequest: 1, perSecond: 10, burst: 100, repetition: 10 };

export type Circuit = ReturnType<typeof createCircuit>;

export interface CircuitOptions {
  policy: RetryPolicy;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  sleep?: Sleep;
  random?: () => number;
}

export function createCircuit({
  policy,
  now = () => performance.now(),
  sleep = realSleep,
  random = Math.random,
}: CircuitOptions) {
  const gate = createRateGate(now);
  const breaker = createBreaker(now);
  const retries = createRetryBudget(now);
  // Errors that this module throws. They say nothing about the Chat API.
  const own = new WeakSet<Error>();

  function refuse<E extends AttemptError>(error: E): E {
    own.add(error);
    return error;
  }

  async function passGate(caller: UpstreamCaller, { operation, signal }: Attempt) {
    const wait = gate.admit(caller, operation);
    if (wait <= 0) return;
    if (wait > longestGateWait) {
      throw refuse(new ChatApiError("rate_limited", { retryAfterSeconds: Math.ceil(wait / second) }));
    }
    await sleep(wait * (1 + random() * gateJitter), signal);
  }

  return {
    /** The retry policy of one request's calls to the Chat API. */
    policyFor(caller: UpstreamCaller): RetryPolicy {
      return {
        async admit(attempt) {
          await passGate(caller, attempt);
          const refusal = breaker.refusal(attempt);
          if (refusal !== undefined) throw refuse(refusal);
          if (attempt.number === 1) retries.earn();
          await policy.admit?.(attempt);
        },
        observe(attempt, error) {
          policy.observe?.(attempt, error);
          if (error === undefined) {
            breaker.close();
            gate.served();
          } else if (!own.has(error)) {
            breaker.noteFailure(error);
            if (error instanceof ChatApiError && error.code === "rate_limited") {
              const { retryAfterSeconds } = error;
              gate.refused({ caller, operation: attempt.operation, retryAfterSeconds });
            }
          }
        },
        delay(attempt) {
          const wait = policy.delay(attempt);
          // Resuming a stream costs no retry: it continues existing work, and the breaker stops it in an
          // outage.
          return wait === null || attempt.streams || retries.spend() ? wait : null;
        },
      };
    },
  };
}

/** Refuses all calls except single probes while the Chat API is unreachable or rejects the key. */
function createBreaker(now: () => number) {
  // Failures since the last success. At `outageFailures` the breaker opens.
  let failures = 0;
  // When the next probe may pass the open breaker; undefined while it is closed.
  let probeAt: number | undefined;
  /** Why the breaker is open: decides the error of the calls that it refuses. */
  let openBecause: keyof typeof probeIntervals = "outage";

  function open(because: typeof openBecause) {
    openBecause = because;
    probeAt = now() + probeIntervals[because];
  }

  function close() {
    failures = 0;
    probeAt = undefined;
  }

  function fail() {
    failures += 1;
    if (failures >= outageFailures) open("outage");
  }

  return {
    close,
    refusal({ operation }: Attempt): AttemptError | undefined {
      if (probeAt === undefined) return undefined;
      if (now() < probeAt)
        return openBecause === "key"
          ? new ChatApiError("invalid_api_key")
          : new ChatConnectionError(operation, "unreachable", "CIRCUIT_OPEN");
      // This call is the probe. Others are refused until it succeeds or the next probe is due.
      open(openBecause);
      return undefined;
    },
    noteFailure(error: AttemptError) {
      if (error instanceof ChatConnectionError) {
        // A broken stream shows that the Chat API was reachable.
        if (error.kind !== "cut") fail();
      } else if (error instanceof ChatApiError) {
        if (error.code === "invalid_api_key") open("key");
        else if (error.code === "service_unavailable") fail();
        else close();
      }
    },
  };
}

function createRetryBudget(now: () => number) {
  let tokens = budget.burst;
  let refilledAt = now();

  function add(amount: number) {
    tokens = Math.min(budget.burst, tokens + amount);
  }

  return {
    earn: () => add(budget.perRequest),
    /** False if no retry is left. */
    spend(): boolean {
      const time = now();
      add(((time - refilledAt) / second) * budget.perSecond);
      refilledAt = time;
      if (tokens < budget.repetition) return false;
      tokens -= budget.repetition;
      return true;
    },
  };
}
