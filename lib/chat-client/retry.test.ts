import { expect, test } from "vitest";
import { ChatApiError } from "../chat-api/errors.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";
import { createRetryPolicy, dueIn, type FailedAttempt } from "./retry.ts";

test("repeats the last wait, and without a wait of its own only where the server asked for one", () => {
  const rule = { waits: [100, 200], times: 3, within: 1_000, longest: 500 };
  const failures = { count: 1, elapsed: 0, askedWait: null };
  const waits = [1, 2, 3, 4].map((count) => dueIn(rule, { ...failures, count }));
  expect(waits).toEqual([100, 200, 200, null]);
  const ifAsked = { ...rule, waits: [] };
  expect([dueIn(ifAsked, failures), dueIn(ifAsked, { ...failures, askedWait: 300 })]).toEqual([null, 300]);
});

const policy = createRetryPolicy();

function failed(overrides: Partial<FailedAttempt> = {}): FailedAttempt {
  return {
    operation: "getChat",
    streams: false,
    number: 1,
    signal: undefined,
    error: new ChatApiError("internal_error"),
    repeats: 0,
    elapsed: 0,
    random: () => 0.5,
    ...overrides,
  };
}

const limited = (code: "rate_limited" | "service_unavailable", retryAfterSeconds: number) =>
  new ChatApiError(code, { retryAfterSeconds });

test("triples the longest wait, jitters from zero and gives up after three retries", () => {
  const delays = [0, 1, 2, 3].map((repeats) => policy.delay(failed({ repeats, random: () => 1 })));
  expect(delays).toEqual([300, 900, 2_700, null]);
  expect(policy.delay(failed({ repeats: 2, random: () => 0 }))).toBe(0);
});

test.each([
  new ChatConnectionError("sendMessage", "cut"),
  new ContractError("sendMessage", "unreadable", "x", undefined),
  new ChatApiError("service_unavailable"),
])("retries a stream five times while its server restarts: $name", (error) => {
  const stream = { streams: true, error };
  const delays = [0, 1, 2, 3, 4, 5].map((repeats) =>
    policy.delay(failed({ ...stream, repeats, random: () => 1 })),
  );
  expect(delays).toEqual([300, 900, 2_700, 4_500, 4_500, null]);
  const shortest = [0, 1, 2, 3, 4].map((repeats) =>
    policy.delay(failed({ ...stream, repeats, random: () => 0 })),
  );
  expect(shortest).toEqual([150, 450, 1_350, 2_250, 2_250]);
});

test("retries a stream three times, like other calls, when a running server fails", () => {
  const delays = [0, 1, 2, 3].map((repeats) =>
    policy.delay(failed({ streams: true, repeats, random: () => 1 })),
  );
  expect(delays).toEqual([300, 900, 2_700, null]);
});

test("waits for Retry-After and slightly longer, never shorter", () => {
  const error = limited("service_unavailable", 4);
  expect(policy.delay(failed({ error, random: () => 0 }))).toBe(4_000);
  expect(policy.delay(failed({ error, random: () => 1 }))).toBe(4_800);
  expect(policy.delay(failed({ error: limited("service_unavailable", 0), random: () => 0.5 }))).toBe(150);
});

test("leaves a Retry-After above the limit to the caller", () => {
  expect(policy.delay(failed({ error: limited("service_unavailable", 5) }))).not.toBeNull();
  expect(policy.delay(failed({ error: limited("service_unavailable", 6) }))).toBeNull();
  expect(policy.delay(failed({ error: limited("rate_limited", 2) }))).not.toBeNull();
  expect(policy.delay(failed({ error: limited("rate_limited", 3) }))).toBeNull();
});

test("starts no retry after the time budget", () => {
  expect(policy.delay(failed({ elapsed: 14_850 }))).toBe(150);
  expect(policy.delay(failed({ elapsed: 14_851 }))).toBeNull();
  expect(policy.delay(failed({ streams: true, elapsed: 59_850 }))).toBe(150);
  expect(policy.delay(failed({ streams: true, elapsed: 59_851 }))).toBeNull();
});

test("retries a lost connection or an unreadable response, but no other breach", () => {
  const contract = (kind: "unreadable" | "shape" | "redirect" | "sequence" | "too_large") =>
    policy.delay(failed({ error: new ContractError("getChat", kind, "x", undefined) }));
  expect(policy.delay(failed({ error: new ChatConnectionError("getChat", "cut") }))).toBe(150);
  expect(contract("unreadable")).toBe(150);
  for (const kind of ["shape", "redirect", "sequence", "too_large"] as const)
    expect(contract(kind)).toBeNull();
});

test("retries file_not_ready twice for a message, three times for an upload", () => {
  const error = new ChatApiError("file_not_ready");
  expect(policy.delay(failed({ operation: "sendMessage", error, repeats: 1 }))).not.toBeNull();
  expect(policy.delay(failed({ operation: "sendMessage", error, repeats: 2 }))).toBeNull();
  expect(policy.delay(failed({ operation: "uploadFile", error, repeats: 2 }))).not.toBeNull();
});

test("applies the rules that it is given", () => {
  const rule = { waits: [10], times: 1, within: 5, longest: 60_000, jitter: 1 };
  const own = createRetryPolicy({ calls: rule, streams: { ...rule, within: 100_000 } });
  expect(own.delay(failed({ random: () => 0.4 }))).toBe(4);
  expect(own.delay(failed({ random: () => 0.6 }))).toBeNull();
  expect(own.delay(failed({ repeats: 1, random: () => 0 }))).toBeNull();
  const error = limited("service_unavailable", 60);
  expect(own.delay(failed({ streams: true, error, random: () => 0 }))).toBe(60_000);
});
