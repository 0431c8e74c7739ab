import { expect, test } from "vitest";
import { createFailureOf } from "./failure.ts";
import { lazyPart } from "./lazy-part.ts";

/** A part whose first attempts fail, in a room that closes during the wait after this many of them. */
function aPart({
  fails = 0,
  error = new TypeError("Failed to fetch dynamically imported module"),
  closesAfter = Number.POSITIVE_INFINITY,
  onReady = (): undefined => undefined,
} = {}) {
  let attempts = 0;
  const ready: object[] = [];
  const waits: number[] = [];
  const reported: unknown[] = [];
  const failureOf = createFailureOf((error) => void reported.push(error));
  const closing = new AbortController();
  const sleep = async () => {
    if (attempts >= closesAfter) closing.abort();
  };
  const part = lazyPart(
    { sleep, signal: closing.signal, failureOf },
    async () => {
      attempts += 1;
      if (attempts <= fails) throw error;
      return {};
    },
    (created) => {
      ready.push(created);
      onReady();
    },
    (until) => waits.push(until),
  );
  part.load();
  part.load();
  return { part, ready, waits, reported, attempts: () => attempts };
}

test("tries again until the part has loaded, tells each wait, and is ready once", async () => {
  const { part, ready, waits, reported, attempts } = aPart({ fails: 2 });
  await expect.poll(part.get).not.toBeNull();
  expect([attempts(), ready, reported]).toEqual([3, [part.get()], []]);
  expect(waits).toHaveLength(2);
});

test("reports an error other than of loading once, and tries again", async () => {
  const error = new ReferenceError("x is not defined");
  const { part, reported, attempts } = aPart({ fails: 2, error });
  await expect.poll(part.get).not.toBeNull();
  expect([attempts(), reported]).toEqual([3, [error]]);
});

test("reports a fault of what follows instead of loading again", async () => {
  const fault = new Error("of the part's user");
  const { reported, attempts } = aPart({
    onReady() {
      throw fault;
    },
  });
  await expect.poll(() => reported).toEqual([fault]);
  expect(attempts()).toBe(1);
});

test("acts at once on a part that has loaded, else in order once it is ready", async () => {
  const acts: string[] = [];
  const { part, ready } = aPart({ onReady: () => void acts.push("ready") });
  part.whenLoaded(() => acts.push("first"));
  part.whenLoaded(() => acts.push("second"));
  await expect.poll(() => ready).toHaveLength(1);
  part.whenLoaded(() => acts.push("third"));
  expect(acts).toEqual(["ready", "first", "second", "third"]);
});

test("stops in a closed room", async () => {
  const { ready, attempts } = aPart({ fails: 5, closesAfter: 2 });
  await new Promise(setImmediate);
  expect([attempts(), ready]).toEqual([2, []]);
});
