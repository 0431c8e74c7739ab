import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../testing/unit/cases.ts";
import { errorRules, isErrorCode } from "../chat-api/errors.ts";
import { operationContracts } from "../chat-api/operation-contracts.ts";
import { aTurn, chatId, idempotencyKey } from "../chat-api/testing/builders.ts";
import { encodeTurnEvent, keepAliveComment, type TurnEvent } from "../chat-api/turn-events.ts";
import { type ChatClientOptions, createChatClient } from "./client.ts";
import { contractParser } from "./contract-parser.ts";
import { ChatApiError, ChatConnectionError, ContractError } from "./errors.ts";
import {
  aStart,
  aStream,
  bytesOf,
  collect,
  countedSignal,
  encodeStream,
  errorResponse,
  eventStream,
  scriptedFetch,
  silence,
  streamResponse,
  testOptions,
  textOf,
} from "./testing/streams.ts";
import { EventDecoder, type TurnStream } from "./turn-stream.ts";

const parts = ["We deliver ", "to Ireland 🇮🇪 ", "within ", "three days — ", "ohne Aufpreis. 你好"];
const reply = parts.join("");
const recorded = encodeStream(aStream(parts));
/** Hundreds of streams in one test are slow on a busy machine. */
const exhaustive = { timeout: 60_000 };

function open(responses: Parameters<typeof scriptedFetch>[0], overrides: Partial<ChatClientOptions> = {}) {
  const { fetch, requests } = scriptedFetch(responses);
  const { options, waits, clock } = testOptions({ fetch, ...overrides });
  const controller = new AbortController();
  const stream = createChatClient(options).streamMessage(
    chatId,
    { text: "Do you deliver to Ireland?" },
    { idempotencyKey, signal: controller.signal },
  );
  return { stream, requests, waits, clock, controller };
}

const serve =
  (events: readonly TurnEvent[], status = 201) =>
  () =>
    streamResponse([encodeStream(events)], { status });
const cutAt = (bytes: number) => () => streamResponse([recorded.subarray(0, bytes)]);
const whole = () => streamResponse([recorded], { status: 200 });

/** The events that a reader receives, and the error that ended the stream, if any. */
async function outcome(stream: TurnStream) {
  const events: TurnEvent[] = [];
  try {
    await stream.read((event) => events.push(event));
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

test("yields a whole stream unchanged", async () => {
  const { stream, requests, waits } = open([serve(aStream(parts))]);
  expect(await collect(stream)).toEqual(aStream(parts));
  expect(stream.replayed).toBe(false);
  expect(requests).toHaveLength(1);
  expect(waits).toEqual([]);
});

test("requests an uncompressed stream with the key and never resumes by event ID", async () => {
  const { stream, requests } = open([cutAt(200), whole]);
  await collect(stream);
  for (const { headers, init } of requests) {
    expect(Object.fromEntries(headers)).toEqual({
      accept: "text/event-stream",
      "accept-encoding": "identity",
      authorization: "Bearer ck_test",
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    });
    expect(init).toMatchObject({ method: "POST", redirect: "manual", cache: "no-store" });
    expect(init.body).toBe('{"text":"Do you deliver to Ireland?"}');
  }
});

test.each([
  ["a clean end, in a browser", undefined, "end"],
  ["an error, in a server", contractParser, "error"],
] as const)(
  "resumes without loss or repetition after an interruption at any byte: %s",
  exhaustive,
  async (_, parse, ending) => {
    for (let cut = 0; cut < recorded.length; cut += 1) {
      const { stream, requests } = open(
        [() => streamResponse([recorded.subarray(0, cut)], { ending }), whole],
        { parse },
      );
      const events = await collect(stream);
      expect(textOf(events)).toBe(reply);
      expect(events.filter(({ type }) => type === "start")).toHaveLength(1);
      expect(events.at(-1)).toEqual({ type: "done", item: aTurn(reply) });
      expect(requests.map(({ headers }) => headers.get("idempotency-key"))).toEqual([
        idempotencyKey,
        idempotencyKey,
      ]);
    }
  },
);

test("yields the whole reply once after any interruptions, whatever the chunks", exhaustive, async () => {
  const anyCuts = fc.array(fc.record({ at: fc.nat(), packing: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 5,
  });
  const packed = (size: number) => {
    const units = Array.from(reply);
    const pieces = Array.from({ length: Math.ceil(units.length / size) }, (_, index) =>
      units.slice(index * size, (index + 1) * size).join(""),
    );
    return encodeStream(aStream(pieces));
  };
  await fc.assert(
    fc.asyncProperty(anyCuts, fc.integer({ min: 1, max: 50 }), async (cuts, last) => {
      const cutStreams = cuts.map(({ at, packing }) => () => {
        const bytes = packed(packing);
        return streamResponse([bytes.subarray(0, at % bytes.length)]);
      });
      const { stream } = open([...cutStreams, () => streamResponse([packed(last)])]);
      const events = await collect(stream);
      expect(textOf(events)).toBe(reply);
      expect(events.filter(({ type }) => type === "start")).toHaveLength(1);
    }),
    { numRuns: cases(200) },
  );
});

test.each([
  [
    "a retry streams a different text",
    [serve([aStart(), { type: "delta", text: "Yes, we" }]), serve(aStream(["No, ", "sadly"]), 200)],
    {},
  ],
  [
    "one stream starts again, where streams may",
    [serve([aStart(), { type: "delta", text: "Yes, we" }, ...aStream(["No, ", "sadly"])])],
    { mayRestart: true },
  ],
])("yields a second start when %s", async (_, responses, overrides) => {
  const { stream } = open(responses, overrides);
  expect((await collect(stream)).map((event) => (event.type === "delta" ? event.text : event.type))).toEqual([
    "start",
    "Yes, we",
    "start",
    "No, ",
    "sadly",
    "done",
  ]);
});

test.each<[string, ...TurnEvent[]]>([
  [
    "whose last text differs from the streamed text",
    aStart(),
    { type: "delta", text: "Let me see" },
    { type: "done", item: aTurn("Which size?") },
  ],
  [
    "without a reply, while the team has the chat",
    aStart({ replyId: null }),
    { type: "done", item: aTurn(null) },
  ],
])("yields the events of a turn %s", async (_, ...events) => {
  const { stream } = open([serve(events)]);
  expect(await collect(stream)).toEqual(events);
});

test.each([
  [true, 200],
  [false, 201],
])("reports as replayed: %s, when a stream answered with %s is interrupted", async (replayed, status) => {
  const { stream } = open([() => streamResponse([recorded.subarray(0, 300)], { status }), whole]);
  expect(stream.replayed).toBeUndefined();
  await collect(stream);
  expect(stream.replayed).toBe(replayed);
});

test("skips unknown events, comments and fields", async () => {
  const [start, ...rest] = aStream(parts);
  const text = [
    keepAliveComment,
    "event: typing\ndata: {}\n\n",
    encodeTurnEvent(start ?? aStart()),
    "data: no event name\n\nid: 7\nretry: 10\n\n",
    ...rest.map(encodeTurnEvent),
  ].join("");
  const { stream } = open([() => streamResponse([bytesOf(text)])]);
  expect(await collect(stream)).toEqual(aStream(parts));
});

test("ignores events after done", async () => {
  const { stream } = open([
    serve([...aStream(parts), { type: "delta", text: "late" }, { type: "done", item: aTurn("late") }]),
  ]);
  expect(await collect(stream)).toEqual(aStream(parts));
});

test("stops reading at done although the connection stays open", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(recorded),
    cancel() {
      cancelled = true;
    },
  });
  const { stream } = open([() => eventStream(body)], { now: () => performance.now() });
  expect(await collect(stream)).toEqual(aStream(parts));
  expect(cancelled).toBe(false);
  await expect.poll(() => cancelled, { timeout: 5_000 }).toBe(true);
});

const wrongStreams: [string, string, string][] = [
  ["done before start", encodeTurnEvent({ type: "done", item: aTurn("x") }), "sequence"],
  ["a delta before start", encodeTurnEvent({ type: "delta", text: "x" }), "sequence"],
  ["two starts", encodeTurnEvent(aStart()).repeat(2), "sequence"],
  ["broken JSON", "event: start\ndata: {secret\n\n", "shape"],
  ["an empty event", "event: start\ndata\n\n", "shape"],
  ["a start without its IDs", 'event: start\ndata: {"chatId":"secret"}\n\n', "shape"],
  ["a delta without text", `${encodeTurnEvent(aStart())}event: delta\ndata: {"secret":1}\n\n`, "shape"],
  ["a delta that is an array", `${encodeTurnEvent(aStart())}event: delta\ndata: ["secret"]\n\n`, "shape"],
  [
    "done without a turn",
    `${encodeTurnEvent(aStart())}event: done\ndata: {"item":{"secret":1}}\n\n`,
    "shape",
  ],
];

for (const parse of [undefined, contractParser]) {
  test.each(wrongStreams)(
    `rejects %s as a breach of the contract (${parse === undefined ? "browser" : "server"})`,
    async (_, text, kind) => {
      const { stream, requests } = open([() => streamResponse([bytesOf(text)])], { parse });
      const { error } = await outcome(stream);
      expect(error).toBeInstanceOf(ContractError);
      expect(error).toMatchObject({ kind, operation: "sendMessage", requestId: "req_1" });
      expect(String(error)).not.toContain("secret");
      expect(String(error)).not.toContain(idempotencyKey);
      expect(requests).toHaveLength(1);
    },
  );
}

test("yields the events before a breach, whatever the chunks", async () => {
  const bytes = bytesOf(
    `${encodeTurnEvent(aStart())}${encodeTurnEvent({ type: "delta", text: "a" })}event: delta\ndata: 1\n\n`,
  );
  for (const chunks of [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte))]) {
    const { events, error } = await outcome(open([() => streamResponse(chunks)]).stream);
    expect(events).toEqual([aStart(), { type: "delta", text: "a" }]);
    expect(error).toBeInstanceOf(ContractError);
  }
});

const encodedStart = encodeTurnEvent(aStart());

test.each([
  ["an endless line", "event: start\ndata: ", "x".repeat(1_000)],
  ["an endless line without a field", encodedStart, "x".repeat(1_000)],
  ["an endless event", "event: start\n", "data: x\n".repeat(1_000)],
  ["an endless reply", encodedStart, encodeTurnEvent({ type: "delta", text: "x".repeat(1_000) })],
])("stops reading %s", async (_, first, rest) => {
  let served = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const bytes = bytesOf(served === 0 ? first : rest);
      served += bytes.length;
      controller.enqueue(bytes);
    },
  });
  const { stream } = open([() => eventStream(body)]);
  const { error } = await outcome(stream);
  expect(error).toMatchObject({ name: "ContractError", kind: "too_large" });
  // Of the endless event, only the data and its line breaks count: a quarter of the served code units.
  expect(served).toBeLessThan(4.1 * 1024 * 1024);
});

const sendCodes = [...operationContracts.sendMessage.errors, "internal_error", "rate_limited"].filter(
  isErrorCode,
);

test.each(sendCodes)("retries or throws an error event with %s as errorRules says", async (code) => {
  const event: TurnEvent = { type: "error", error: { code, message: "x", requestId: "req_1" } };
  const failing = [aStart(), { type: "delta", text: parts[0] ?? "" } as const, event];
  const { stream, requests } = open([serve(failing), whole]);
  const { events, error } = await outcome(stream);
  if (errorRules[code].retry === "after_delay") {
    expect(error).toBeUndefined();
    expect(textOf(events)).toBe(reply);
    expect(requests).toHaveLength(2);
  } else {
    expect(error).toBeInstanceOf(ChatApiError);
    expect(error).toMatchObject({ code, requestId: "req_1" });
    expect(events).toEqual(failing.slice(0, 2));
    expect(requests).toHaveLength(1);
  }
});

test("waits for an error event's delay", async () => {
  const event: TurnEvent = {
    type: "error",
    error: { code: "service_unavailable", message: "x", requestId: "req_1", retryAfterSeconds: 2 },
  };
  const { stream, waits } = open([serve([aStart(), event]), whole]);
  await collect(stream);
  expect(waits).toEqual([2_200]);
});

test("retries an error event with an unknown code, then throws internal_error", async () => {
  const unknown = `event: error\ndata: {"error":{"code":"brand_new","requestId":"req_9"}}\n\n`;
  const { stream, requests } = open(
    Array.from({ length: 4 }, () => () => streamResponse([bytesOf(unknown)])),
  );
  const { error } = await outcome(stream);
  expect(error).toMatchObject({ name: "ChatApiError", code: "internal_error", requestId: "req_9" });
  expect(requests).toHaveLength(4);
});

test("retries or throws error responses, before and after an interruption", async () => {
  const refusal = open([() => errorResponse("chat_closed", 409)]);
  expect((await outcome(refusal.stream)).error).toMatchObject({ code: "chat_closed" });
  const later = open([
    cutAt(400),
    () => errorResponse("internal_error", 500),
    () => errorResponse("chat_not_found", 404),
  ]);
  const { events, error } = await outcome(later.stream);
  expect(events[0]?.type).toBe("start");
  expect(error).toMatchObject({ code: "chat_not_found" });
});

const unreachable = () => Promise.reject(new TypeError("fetch failed"));

test.each([
  ["cannot be resumed", cutAt(400), unreachable, "unreachable"],
  ["never began", unreachable, unreachable, "unreachable"],
  ["is always interrupted at the same byte", cutAt(400), cutAt(400), "cut"],
] as const)("gives up a stream that %s, after five repetitions", async (_, first, later, kind) => {
  const { stream, requests, waits } = open([first, ...Array.from({ length: 5 }, () => later)]);
  const { events, error } = await outcome(stream);
  expect(error).toMatchObject({ name: "ChatConnectionError", kind });
  expect(events.some(({ type }) => type === "done")).toBe(false);
  expect(requests).toHaveLength(6);
  expect(waits).toEqual([225, 675, 2_025, 3_375, 3_375]);
});

test("resumes a long stream often, since old retries no longer count", async () => {
  const pieces = Array.from({ length: 12 }, (_, index) => `part ${index} `);
  const bytes = aStream(pieces).map(encodeTurnEvent);
  const cuts = pieces.map((_, index) => {
    return () => {
      clock.time += 20_000;
      return streamResponse([bytesOf(bytes.slice(0, index + 2).join(""))]);
    };
  });
  const { stream, clock } = open([...cuts, () => streamResponse([bytesOf(bytes.join(""))])]);
  expect(textOf(await collect(stream))).toBe(pieces.join(""));
});

test("limits the total time of a stream", async () => {
  const cuts = Array.from({ length: 60 }, () => () => {
    clock.time += 20_000;
    return streamResponse([recorded.subarray(0, 400)]);
  });
  const { stream, clock, requests } = open(cuts);
  expect((await outcome(stream)).error).toBeInstanceOf(ChatConnectionError);
  expect(clock.time).toBeGreaterThanOrEqual(15 * 60_000);
  expect(requests.length).toBeLessThan(50);
});

test("aborts the request when the caller's signal is aborted", async () => {
  let signal: AbortSignal | null | undefined;
  const endless = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(recorded.subarray(0, 400)),
  });
  const { stream, controller } = open([], {
    fetch: async (_, init) => {
      signal = init.signal;
      return eventStream(endless);
    },
  });
  await stream.read(() => controller.abort());
  expect(signal?.aborted).toBe(true);
});

test("ends the stream without an error on abort, at any time", async () => {
  const before = open([]);
  before.controller.abort();
  expect(await outcome(before.stream)).toEqual({ events: [], error: undefined });
  expect(before.requests).toHaveLength(0);

  const during = open([() => streamResponse([recorded])]);
  const seen: TurnEvent[] = [];
  await during.stream.read((event) => {
    seen.push(event);
    during.controller.abort();
  });
  expect(seen).toEqual([aStart()]);

  const waiting = open([cutAt(400)], { sleep: async () => waiting.controller.abort() });
  const { events, error } = await outcome(waiting.stream);
  expect(error).toBeUndefined();
  expect(events.some(({ type }) => type === "done")).toBe(false);
});

test("aborts a fetch that hangs", async () => {
  const { stream, controller } = open([], { fetch: silence(() => controller.abort()) });
  expect(await outcome(stream)).toEqual({ events: [], error: undefined });
});

test("removes its listener from the caller's signal, however the stream ends", async () => {
  const endings: Parameters<typeof scriptedFetch>[0][] = [
    [whole],
    [cutAt(300), whole],
    [() => errorResponse("chat_closed", 409)],
    [() => streamResponse([bytesOf(encodedStart.repeat(2))])],
  ];
  for (const responses of endings) {
    const { signal, listeners } = countedSignal();
    const client = createChatClient(testOptions({ fetch: scriptedFetch(responses).fetch }).options);
    await outcome(client.streamMessage(chatId, { text: "x" }, { idempotencyKey, signal }));
    await expect.poll(listeners).toBe(0);
  }
});

test("lets a stream be read once", async () => {
  const { stream } = open([serve(aStream(parts))]);
  await collect(stream);
  await expect(collect(stream)).rejects.toThrow("can be read once");
});

test("sends nothing before it is read", () => {
  expect(open([]).requests).toHaveLength(0);
});

test("rejects a missing or malformed key before sending, without quoting it", async () => {
  const { fetch, requests } = scriptedFetch([]);
  const client = createChatClient(testOptions({ fetch }).options);
  for (const key of ["", "short", "secret key with spaces", "é".repeat(10)]) {
    const { error } = await outcome(client.streamMessage(chatId, { text: "x" }, { idempotencyKey: key }));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain("idempotencyKey");
    if (key !== "") expect(String(error)).not.toContain(key);
  }
  expect(requests).toHaveLength(0);
});

test("retries an HTML page in place of the stream, then reports a breach", async () => {
  const page = () =>
    new Response("<h1>Sign in to the network</h1>", { headers: { "content-type": "text/html" } });
  const healed = open([page, whole]);
  expect(textOf(await collect(healed.stream))).toBe(reply);
  const stuck = open(Array.from({ length: 6 }, () => page));
  expect((await outcome(stuck.stream)).error).toMatchObject({ name: "ContractError", kind: "unreadable" });
});

const errorPage = bytesOf("\n\n<html>\n<h1>502 Bad Gateway</h1>\n</html>\n");

test.each([
  ["a proxy's error page inside the stream", () => streamResponse([recorded.subarray(0, 300), errorPage])],
  ["a missing body", () => eventStream(null)],
])("treats %s as a truncated stream", async (_, cut) => {
  const { stream } = open([cut, whole]);
  expect(textOf(await collect(stream))).toBe(reply);
});

/** The data of the events of these chunks, and whether they exceeded the limit. */
function decode(chunks: readonly Uint8Array[], maxLength = 1_000_000) {
  const events: string[] = [];
  const decoder = new EventDecoder(maxLength, ({ data }) => events.push(data));
  for (const chunk of chunks) {
    decoder.push(chunk);
    if (decoder.hasOverflowed) break;
  }
  return { events, overflowed: decoder.hasOverflowed };
}

test("removes one byte order mark before the stream and keeps a second one", () => {
  expect(decode([bytesOf("\uFEFFdata: x\n\n")]).events).toEqual(["x"]);
  expect(decode([bytesOf("\uFEFF\uFEFFdata: a\ndata: x\n\n")]).events).toEqual(["x"]);
});

test("accepts an event of exactly the limit, whatever comments are before it, and those before a longer one", () => {
  const allowed = bytesOf(`:${"x".repeat(1_000)}\ndata: ${"x".repeat(100)}\n\n`);
  for (const chunks of [[allowed], Array.from(allowed, (byte) => Uint8Array.of(byte))])
    expect(decode(chunks, 100)).toMatchObject({ overflowed: false, events: [expect.any(String)] });
  const longer = bytesOf(`data: a\n\ndata: ${"x".repeat(101)}\n\ndata: b\n\n`);
  expect(decode([longer], 100)).toEqual({ overflowed: true, events: ["a"] });
});

test("decodes malformed UTF-8 as the platform does, wherever the chunks end", () => {
  // UTF-8 continuation bytes, lead bytes and "a", in any order.
  const byte = fc.oneof(
    fc.integer({ min: 0x80, max: 0xbf }),
    fc.integer({ min: 0xc0, max: 0xff }),
    fc.constant(0x61),
  );
  const chunks = fc.array(fc.array(byte, { maxLength: 6 }), { maxLength: 8 });
  fc.assert(
    fc.property(chunks, (between) => {
      const bytes = ["data: ", ...between.map((chunk) => Uint8Array.from(chunk)), "a\n\n"].map((piece) =>
        typeof piece === "string" ? new TextEncoder().encode(piece) : piece,
      );
      const { events } = decode(bytes);
      const whole = new TextDecoder().decode(Buffer.concat(bytes));
      expect(events.map((data) => `data: ${data}\n\n`)).toEqual([whole]);
    }),
  );
});
