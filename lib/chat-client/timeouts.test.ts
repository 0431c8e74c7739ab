import { beforeEach, expect, test, vi } from "vitest";
import { aChat, chatId, idempotencyKey } from "../chat-api/testing/builders.ts";
import { encodeTurnEvent, keepAliveComment } from "../chat-api/turn-events.ts";
import { type ChatClientOptions, createChatClient } from "./client.ts";
import { createRetryPolicy, sleep } from "./retry.ts";
import {
  aStart,
  aStream,
  bytesOf,
  collect,
  encodeStream,
  eventStream,
  jsonResponse,
  silence,
  streamResponse,
  textOf,
} from "./testing/streams.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

const key = { idempotencyKey };
const second = 1_000;

/** A client that does not retry, on the test's fake timers. */
function clientOf(fetch: ChatClientOptions["fetch"], overrides: Partial<ChatClientOptions> = {}) {
  return createChatClient({
    url: (operation) => `https://chat.test/${operation}`,
    headers: () => ({}),
    fetch,
    retry: { delay: () => null },
    ...overrides,
  });
}

const upload = { bytes: new Blob(["x"]), filename: "a.txt", mediaType: "text/plain" };

/** The promise's outcome so far, without waiting. */
function watch(promise: Promise<unknown>) {
  const state: { error?: unknown; value?: unknown; settled: boolean } = { settled: false };
  promise.then(
    (value) => Object.assign(state, { settled: true, value }),
    (error) => Object.assign(state, { settled: true, error }),
  );
  return state;
}

/** A body whose chunks arrive at these milliseconds and that never ends. */
function bodyAt(pieces: readonly (readonly [number, Uint8Array])[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const [time, bytes] of pieces) setTimeout(() => controller.enqueue(bytes), time);
    },
  });
}

/**
 * Returns a function that lists the delays of the timers that were set since and not cleared. Other tests'
 * sockets in this thread have shorter ones, which undici sets again every half second.
 */
function watchTimers(): () => number[] {
  const running = new Map<unknown, number>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  // Not spies: these would be restored, to fake timers, after `vi.useRealTimers` has replaced both.
  Object.assign(globalThis, {
    setTimeout(run: () => void, delay = 0) {
      const timer = set(run, delay);
      if (delay >= second) running.set(timer, delay);
      return timer;
    },
    clearTimeout(timer: ReturnType<typeof setTimeout>) {
      running.delete(timer);
      clear(timer);
    },
  });
  return () => [...running.values()];
}

const json = { "content-type": "application/json" };

test("times out a response that does not begin within 30 seconds", async () => {
  const call = watch(clientOf(silence()).getChat(chatId));
  await vi.advanceTimersByTimeAsync(30 * second - 1);
  expect(call.settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(call.error).toMatchObject({ name: "ChatConnectionError", kind: "timeout", operation: "getChat" });
});

test("times out a JSON response that is incomplete 60 seconds after sending", async () => {
  const trickle = Array.from({ length: 100 }, (_, index) => [index * second, bytesOf(" ")] as const);
  const fetch = () =>
    new Promise<Response>((resolve) =>
      setTimeout(() => resolve(new Response(bodyAt(trickle), { headers: json })), 20 * second),
    );
  const call = watch(clientOf(fetch).getChat(chatId));
  await vi.advanceTimersByTimeAsync(60 * second - 1);
  expect(call.settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(call.error).toMatchObject({ name: "ChatConnectionError", kind: "timeout" });
});

test("gives an upload five minutes", async () => {
  const call = watch(clientOf(silence()).uploadFile(chatId, upload, key));
  await vi.advanceTimersByTimeAsync(300 * second - 1);
  expect(call.settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(call.error).toMatchObject({ kind: "timeout" });
});

test("repeats a stream with its key after 45 seconds of silence", async () => {
  const stream = aStream(["We deliver ", "to Ireland"]);
  const whole = encodeStream(stream);
  const responses = [
    eventStream(bodyAt([[0, whole.subarray(0, 300)]])),
    streamResponse([whole], { status: 200 }),
  ];
  const keys: (string | null)[] = [];
  const fetch: ChatClientOptions["fetch"] = async (_, init) => {
    keys.push(new Headers(init.headers).get("idempotency-key"));
    return responses[keys.length - 1] ?? Response.error();
  };
  const client = clientOf(fetch, { retry: createRetryPolicy(), random: () => 0 });
  const reading = collect(client.streamMessage(chatId, { text: "x" }, key));
  await vi.advanceTimersByTimeAsync(45 * second - 1);
  expect(keys).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(textOf(await reading)).toBe("We deliver to Ireland");
  expect(keys).toEqual([idempotencyKey, idempotencyKey]);
});

test("keeps a stream of six minutes alive with comments", async () => {
  const comments = Array.from(
    { length: 24 },
    (_, index) => [(index + 1) * 15 * second, bytesOf(keepAliveComment)] as const,
  );
  const stream = aStream(["At last"]);
  const body = bodyAt([
    [0, bytesOf(encodeTurnEvent(aStart()))],
    ...comments,
    [361 * second, encodeStream(stream.slice(1))],
  ]);
  const fetch = async () => eventStream(body);
  const reading = collect(clientOf(fetch).streamMessage(chatId, { text: "x" }, key));
  await vi.advanceTimersByTimeAsync(365 * second);
  expect(await reading).toEqual(stream);
});

test("gives up a stream of nothing but comments after 15 minutes", async () => {
  const comments = Array.from(
    { length: 100 },
    (_, index) => [index * 15 * second, bytesOf(keepAliveComment)] as const,
  );
  const fetch = async () => eventStream(bodyAt(comments));
  const client = clientOf(fetch, { retry: createRetryPolicy() });
  const reading = watch(collect(client.streamMessage(chatId, { text: "x" }, key)));
  await vi.advanceTimersByTimeAsync(900 * second - 1);
  expect(reading.settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(reading.error).toMatchObject({ name: "ChatConnectionError", kind: "timeout" });
});

test("gives up a stream whose responses have no bytes after 90 seconds", async () => {
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    return eventStream(bodyAt([]));
  };
  const client = clientOf(fetch, { retry: createRetryPolicy() });
  const reading = watch(collect(client.streamMessage(chatId, { text: "x" }, key)));
  await vi.advanceTimersByTimeAsync(100 * second);
  expect(reading.error).toMatchObject({ name: "ChatConnectionError", kind: "timeout" });
  expect(requests).toBe(2);
});

test("fails a download that stalls for 45 seconds, unless its reader pauses", async () => {
  const fetch = async () =>
    new Response(
      bodyAt([
        [0, bytesOf("a")],
        [1, bytesOf("b")],
      ]),
      { headers: { "content-type": "text/plain" } },
    );
  const { body } = await clientOf(fetch).downloadFile(chatId, "file_0001");
  const reader = body?.getReader();
  const first = watch(reader?.read() ?? Promise.resolve());
  await vi.advanceTimersByTimeAsync(1);
  expect(first.value).toEqual({ done: false, value: bytesOf("a") });
  await vi.advanceTimersByTimeAsync(300 * second);
  expect((await reader?.read())?.value).toEqual(bytesOf("b"));
  const third = watch(reader?.read() ?? Promise.resolve());
  await vi.advanceTimersByTimeAsync(45 * second);
  expect(third.error).toMatchObject({ name: "ChatConnectionError", kind: "timeout" });
});

test("applies the timeouts of its options, where Infinity means none", async () => {
  const call = watch(clientOf(silence(), { timeouts: { headers: 5 } }).getChat(chatId));
  await vi.advanceTimersByTimeAsync(5);
  expect(call.error).toMatchObject({ kind: "timeout" });
  const patient = watch(
    clientOf(silence(), { timeouts: { headers: Number.POSITIVE_INFINITY } }).getChat(chatId),
  );
  await vi.advanceTimersByTimeAsync(3_600 * second);
  expect(patient.settled).toBe(false);
});

test("leaves no timer behind", async () => {
  const running = watchTimers();
  const fetch = async () => jsonResponse({ item: aChat() });
  await clientOf(fetch).getChat(chatId);
  const stream = aStream(["a"]);
  await collect(
    clientOf(async () => streamResponse([encodeStream(stream)])).streamMessage(chatId, { text: "x" }, key),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(running()).toEqual([]);
});

test("leaves no timer behind when a reader aborts, even when all bytes have arrived", async () => {
  const running = watchTimers();
  for (const events of [[aStart()], aStream(["a"])]) {
    const controller = new AbortController();
    const fetch = async () => eventStream(bodyAt([[0, encodeStream(events)]]));
    const call = { ...key, signal: controller.signal };
    const stream = clientOf(fetch).streamMessage(chatId, { text: "x" }, call);
    const reading = stream.read(() => controller.abort());
    await vi.advanceTimersByTimeAsync(0);
    await reading;
    expect(running()).toEqual([]);
  }
});

test("ends a wait when the signal aborts, or at once if it has aborted", async () => {
  const running = watchTimers();
  const controller = new AbortController();
  const wait = watch(sleep(10 * second, controller.signal));
  await vi.advanceTimersByTimeAsync(1);
  expect(wait.settled).toBe(false);
  controller.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(wait).toMatchObject({ settled: true, value: undefined });
  await sleep(10 * second, controller.signal);
  expect(running()).toEqual([]);
  const undisturbed = watch(sleep(10 * second, undefined));
  await vi.advanceTimersByTimeAsync(10 * second);
  expect(undisturbed.settled).toBe(true);
});

test("applies the timeout of an upload to the upload's response", async () => {
  const item = { id: "file_0001" };
  const pieces = [[4 * 60 * second, bytesOf(JSON.stringify({ item }))]] as const;
  const fetch = async () => {
    const body = bodyAt(pieces);
    const whole = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          controller.enqueue(piece);
          controller.terminate();
        },
      }),
    );
    return new Response(whole, { status: 201, headers: json });
  };
  const call = watch(clientOf(fetch).uploadFile(chatId, upload, key));
  await vi.advanceTimersByTimeAsync(4 * 60 * second + 1);
  expect(call.value).toEqual({ item, replayed: false });
});

test("a download that was cut off leaves no timer", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("cut off")) });
  const response = await clientOf(async () => new Response(body)).downloadFile(chatId, "file_0001");
  await expect(response.text()).rejects.toMatchObject({ kind: "cut" });
  expect(vi.getTimerCount()).toBe(0);
});
