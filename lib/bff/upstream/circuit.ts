/**
 * State shared by all calls of a process, so that retries never make an outage worse: a circuit breaker that
 * lets single probes through while the Chat API is unreachable or rejects the key, and a budget of retries.
 * Wraps the client's retry policy.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import { ChatConnectionError } from "../../chat-client/errors.ts";
import type { Attempt, AttemptError, RetryPolicy } from "../../chat-client/retry.ts";

const second = 1_000;

/** Number of failures in a row, of any calls, that are an outage. */
const outageFailures = 5;
/**
 * How often the open breaker admits a probe. A wrong key needs a person, and more probes would look like
 * guessing.
 */
const probeIntervals = { outage: 2 * second, key: 30 * second };

/** Budget in tenths of a retry. Requests earn retries; time also does, for quiet processes. */
const budget = { perRequest: 1, perSecond: 10, burst: 100, repetition: 10 };

/** A retry policy that sees every attempt. */
export type Circuit = Required<RetryPolicy>;

/** The client's retry policy with a circuit breaker. `now` is a monotonic clock in milliseconds. */
export function withCircuit(policy: RetryPolicy, now = () => performance.now()): Circuit {
  const breaker = createBreaker(now);
  const retries = createRetryBudget(now);
  return {
    admit(attempt) {
      const refusal = breaker.refusal(attempt);
      if (refusal !== undefined) throw refusal;
      if (attempt.number === 1) retries.earn();
    },
    observe(_, error) {
      if (error === undefined) breaker.close();
      else breaker.noteFailure(error);
    },
    delay(attempt) {
      const wait = policy.delay(attempt);
      // Resuming a stream costs no retry: it continues existing work, and the breaker stops it in an outage.
      return wait === null || attempt.streams || retries.spend() ? wait : null;
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
        else if (error.rule.isUnreachable) fail();
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
