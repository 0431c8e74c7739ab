import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { createPoller, type Poller } from "./poller.ts";

const second = 1_000;
let looks: ((failure?: Error) => void)[] = [];
let poller: Poller;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", { onLine: true });
  looks = [];
  poller = createPoller(
    () =>
      new Promise((resolve, reject) => {
        looks.push((failure) => (failure === undefined ? resolve() : reject(failure)));
      }),
  );
});
afterEach(() => {
  poller.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function endLook(failure?: Error): Promise<void> {
  looks.at(-1)?.(failure);
  await vi.advanceTimersByTimeAsync(0);
}

test("it looks at once, then a pace after each look's end", async () => {
  poller.start();
  poller.pace(2 * second);
  expect(looks).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10 * second);
  expect(looks).toHaveLength(1);
  await endLook();
  await vi.advanceTimersByTimeAsync(2 * second - 1);
  expect(looks).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(looks).toHaveLength(2);
});

test("another pace counts from when it is told; without one nothing is looked for until it is asked", async () => {
  poller.start();
  poller.pace(30 * second);
  await endLook();
  poller.pace(2 * second);
  await vi.advanceTimersByTimeAsync(2 * second);
  expect(looks).toHaveLength(2);
  await endLook();
  poller.pace(0);
  await vi.advanceTimersByTimeAsync(60 * 60 * second);
  expect(looks).toHaveLength(2);
  poller.lookNow();
  expect(looks).toHaveLength(3);
});

test("after a failure it waits as long as it is asked to, whatever the pace", async () => {
  poller.start();
  poller.pace(2 * second);
  await endLook(new ChatApiError("rate_limited", { retryAfterSeconds: 40 }));
  poller.pace(3 * second);
  await vi.advanceTimersByTimeAsync(40 * second - 1);
  expect(looks).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(looks).toHaveLength(2);
  await endLook();
  await vi.advanceTimersByTimeAsync(3 * second);
  expect(looks).toHaveLength(3);
});

test("failures without a word of when are further and further apart, and never by more than a minute", async () => {
  poller.start();
  poller.pace(2 * second);
  const waits: number[] = [];
  for (let failure = 1; failure <= 8; failure += 1) {
    await endLook(new ChatApiError("internal_error"));
    const from = performance.now();
    while (looks.length === failure) await vi.advanceTimersByTimeAsync(100);
    waits.push(performance.now() - from);
  }
  expect(waits[0]).toBeGreaterThanOrEqual(2 * second);
  expect(waits[3]).toBeGreaterThanOrEqual(16 * second);
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(60 * second + 100);
});

test("who is asked to wait for months does not look all the time", async () => {
  poller.start();
  poller.pace(2 * second);
  await endLook(new ChatApiError("rate_limited", { retryAfterSeconds: 90 * 24 * 60 * 60 }));
  await vi.advanceTimersByTimeAsync(60 * 60 * second);
  expect(looks).toHaveLength(1);
});

test("a look that was asked for does not make two series of one", async () => {
  poller.start();
  poller.pace(2 * second);
  poller.lookNow();
  expect(looks).toHaveLength(2);
  for (const end of looks) end();
  await vi.advanceTimersByTimeAsync(2 * second);
  expect(looks).toHaveLength(3);
});

test("stopped it looks no more; started again it looks at once, unless it just has", async () => {
  poller.pace(2 * second);
  poller.lookNow();
  expect(looks).toHaveLength(0);
  poller.start();
  poller.stop();
  await endLook();
  await vi.advanceTimersByTimeAsync(100);
  poller.start();
  expect(looks).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2 * second);
  expect(looks).toHaveLength(2);
  await endLook();
  poller.stop();
  await vi.advanceTimersByTimeAsync(60 * second);
  expect(looks).toHaveLength(2);
  poller.start();
  expect(looks).toHaveLength(3);
});

test("without a network it waits for it", async () => {
  poller.start();
  poller.pace(2 * second);
  await endLook();
  vi.stubGlobal("navigator", { onLine: false });
  await vi.advanceTimersByTimeAsync(60 * second);
  expect(looks).toHaveLength(1);
  vi.stubGlobal("navigator", { onLine: true });
  window.dispatchEvent(new Event("online"));
  expect(looks).toHaveLength(2);
});
