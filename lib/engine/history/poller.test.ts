import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChatApiError } from "../../chat-api/errors.ts";
import { createFailureOf } from "../failure.ts";
import { type MemoryBrowser, memoryBrowser } from "../testing/memory-browser.ts";
import { createPoller, type Poller } from "./poller.ts";

const second = 1_000;
/** Functions that end the polls so far, the latest last. */
let polls: ((failure?: Error) => void)[] = [];
let poller: Poller;
let ending = new AbortController();
let browser: MemoryBrowser;
let isOnline = true;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
  isOnline = true;
  browser = memoryBrowser({ isOnline: () => isOnline });
  polls = [];
});

function startPoller(): void {
  ending = new AbortController();
  poller = createPoller(
    browser,
    createFailureOf(),
    ending.signal,
    () =>
      new Promise((resolve, reject) => {
        polls.push((failure) => (failure === undefined ? resolve() : reject(failure)));
      }),
  );
}

afterEach(() => {
  vi.restoreAllMocks();
  ending.abort();
});

async function endPoll(failure?: Error): Promise<void> {
  polls.at(-1)?.(failure);
  await vi.advanceTimersByTimeAsync(0);
}

test("a new interval starts at its change; 0 stops polling", async () => {
  startPoller();
  poller.setInterval(30 * second);
  await endPoll();
  poller.setInterval(2 * second);
  await vi.advanceTimersByTimeAsync(2 * second);
  expect(polls).toHaveLength(2);
  await endPoll();
  poller.setInterval(0);
  await vi.advanceTimersByTimeAsync(60 * 60 * second);
  expect(polls).toHaveLength(2);
});

test("waits after a failure as long as the server asks, whatever the interval and the network", async () => {
  startPoller();
  poller.setInterval(2 * second);
  await endPoll(new ChatApiError("rate_limited", { retryAfterSeconds: 40 }));
  poller.setInterval(3 * second);
  await vi.advanceTimersByTimeAsync(5 * second);
  browser.dispatch("online");
  await vi.advanceTimersByTimeAsync(35 * second - 1);
  expect(polls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(polls).toHaveLength(2);
  await endPoll();
  await vi.advanceTimersByTimeAsync(3 * second);
  expect(polls).toHaveLength(3);
});

test("backs off after failures without a Retry-After, up to a minute", async () => {
  startPoller();
  const waits: number[] = [];
  for (let failure = 1; failure <= 8; failure += 1) {
    await endPoll(new ChatApiError("internal_error"));
    const from = performance.now();
    while (polls.length === failure) await vi.advanceTimersByTimeAsync(100);
    waits.push(performance.now() - from);
  }
  expect(waits).toEqual([2, 4, 8, 16, 30, 30, 30, 30].map((wait) => wait * second));
});

test("asks again after an hour, however long a Retry-After is", async () => {
  startPoller();
  await endPoll(new ChatApiError("rate_limited", { retryAfterSeconds: 90 * 24 * 60 * 60 }));
  await vi.advanceTimersByTimeAsync(60 * 60 * second - 1);
  expect(polls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(polls).toHaveLength(2);
});

test("waits for the network while the browser is offline", async () => {
  startPoller();
  poller.setInterval(2 * second);
  await endPoll();
  isOnline = false;
  await vi.advanceTimersByTimeAsync(60 * second);
  expect(polls).toHaveLength(1);
  isOnline = true;
  browser.dispatch("online");
  expect(polls).toHaveLength(2);
});
