import { expect, test } from "vitest";
import { dueIn, retrying } from "./retry.ts";

const rule = { waits: [100, 200], times: 3, within: 1_000, longest: 500 };
const failed = { count: 1, elapsed: 0, askedWait: null };

test("waits longer after each failure and repeats the last wait", () => {
  const waits = [1, 2, 3, 4].map((count) => dueIn(rule, { ...failed, count }));
  expect(waits).toEqual([100, 200, 200, null]);
});

test("prolongs a wait to what the server asked for, and leaves a longer one to the caller", () => {
  expect(dueIn(rule, { ...failed, askedWait: 50 })).toBe(100);
  expect(dueIn(rule, { ...failed, askedWait: 500 })).toBe(500);
  expect(dueIn(rule, { ...failed, askedWait: 501 })).toBeNull();
  const ifAsked = { ...rule, waits: [] };
  expect([dueIn(ifAsked, failed), dueIn(ifAsked, { ...failed, askedWait: 300 })]).toEqual([null, 300]);
});

test("starts no repetition after its time", () => {
  expect(dueIn(rule, { ...failed, elapsed: 900 })).toBe(100);
  expect(dueIn(rule, { ...failed, elapsed: 901 })).toBeNull();
});

test("shortens only its own waits at random, and prolongs a Retry-After", () => {
  const half = { ...rule, jitter: 0.5 };
  const waits = (askedWait: number | null) =>
    [0, 1].map((chance) => dueIn(half, { ...failed, askedWait }, () => chance));
  expect(waits(null)).toEqual([50, 100]);
  expect(waits(400)).toEqual([400, 480]);
});

/** Attempts that fail as often as `failures` says, in a call whose signal aborts in that pause. */
async function run({ failures = 0, abortsIn = 0, gives = 10 }) {
  const abort = new AbortController();
  const log: unknown[] = [];
  let attempts = 0;
  const outcome = await retrying({
    signal: abort.signal,
    async attempt() {
      attempts += 1;
      if (attempts <= failures) throw `failure ${attempts}`;
      return "done";
    },
    next: (error) => {
      log.push(error);
      return attempts < gives ? attempts * 10 : null;
    },
    async pause(wait) {
      log.push(wait);
      if (attempts === abortsIn) abort.abort("left");
    },
  }).catch((error: unknown) => error);
  return { outcome, attempts, log };
}

test("repeats until an attempt succeeds, or rejects with the last error", async () => {
  expect(await run({ failures: 2 })).toEqual({
    outcome: "done",
    attempts: 3,
    log: ["failure 1", 10, "failure 2", 20],
  });
  expect((await run({ failures: 9, gives: 2 })).outcome).toBe("failure 2");
});

test("makes no attempt after its signal, whose reason it rejects with", async () => {
  expect(await run({ failures: 9, abortsIn: 2 })).toMatchObject({ outcome: "left", attempts: 2 });
});
