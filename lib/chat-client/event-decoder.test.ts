import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../testing/unit/cases.ts";
import { EventDecoder } from "./event-decoder.ts";
import { bytesOf } from "./testing/streams.ts";

interface Decoded {
  event?: string | undefined;
  data: string;
}

/** The events of these chunks, and whether they exceeded the limit. */
function decode(chunks: readonly Uint8Array[], maxLength = 1_000_000) {
  const events: Decoded[] = [];
  const decoder = new EventDecoder(maxLength, ({ event, data }) => events.push({ event, data }));
  for (const chunk of chunks) {
    decoder.push(chunk);
    if (decoder.hasOverflowed) break;
  }
  return { events, overflowed: decoder.hasOverflowed };
}

function decodeText(text: string): Decoded[] {
  return decode([bytesOf(text)]).events;
}

function oneByteEach(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

const one = [{ event: "delta", data: "x" }];

test("removes one byte order mark before the stream and keeps a second one", () => {
  expect(decodeText("\uFEFFevent: delta\ndata: x\n\n")).toEqual(one);
  expect(decodeText("\uFEFF\uFEFFevent: delta\ndata: x\n\n")).toEqual([{ event: undefined, data: "x" }]);
});

test("accepts lines that end with CR, LF, CRLF or a mixture", () => {
  expect(decodeText("event: delta\rdata: x\r\r")).toEqual(one);
  expect(decodeText("event: delta\r\ndata: x\r\n\r\n")).toEqual(one);
  expect(decodeText("event: delta\rdata: x\n\r\nevent: delta\ndata: x\r\n\n")).toEqual([...one, ...one]);
});

test("ignores comments, whatever they contain and however long they are", () => {
  expect(
    decodeText(`:\n: keep-alive\n:data:fail\n:${"x".repeat(100_000)}\nevent: delta\ndata: x\n\n`),
  ).toEqual(one);
  expect(
    decode(
      [bytesOf(":"), ...Array.from({ length: 100 }, () => bytesOf("x".repeat(1_000))), bytesOf("\n\n")],
      500,
    ),
  ).toEqual({ events: [], overflowed: false });
});

test("reads a field without a colon and removes one space, but no tab, after a colon", () => {
  expect(decodeText("data\n\n")).toEqual([{ event: undefined, data: "" }]);
  expect(decodeText("data:  two\ndata:\ttab\ndata:none\n\n")).toEqual([
    { event: undefined, data: " two\n\ttab\nnone" },
  ]);
});

test.each(["Data:fail", " data:fail", "da-ta:fail", "data\0:fail", "data :fail", "unknown"])(
  "ignores the line %j",
  (line) => {
    expect(decodeText(`${line}\nevent: delta\ndata: x\n${line}\n\n`)).toEqual(one);
  },
);

test("accepts U+0000 in data and an empty event name, and ignores id and retry", () => {
  expect(decodeText("data:\0\n\n")).toEqual([{ event: undefined, data: "\0" }]);
  expect(decodeText("event: delta\nevent:\ndata: x\n\n")).toEqual([{ event: undefined, data: "x" }]);
  expect(
    decodeText("id: a\0b\nretry: soon\nretry:\nretry: 99999999999999999999\nevent: delta\ndata: x\n\n"),
  ).toEqual(one);
});

test("adds a chunk that looks like a whole event to the event that has begun", () => {
  const chunk = bytesOf("event: delta\ndata: x\n\n");
  expect(decode([chunk, bytesOf("data: a\n"), chunk, chunk]).events).toEqual([
    ...one,
    { event: "delta", data: "a\nx" },
    ...one,
  ]);
});

test("drops an event without its blank line", () => {
  expect(decodeText("event: delta\ndata: x\n")).toEqual([]);
  expect(decodeText("event: delta\ndata: x")).toEqual([]);
});

test("decodes ten thousand events from one chunk", () => {
  expect(decodeText("event: delta\ndata: x\n\n".repeat(10_000))).toHaveLength(10_000);
});

test.each([
  ["an endless line", "data: xxxxxxxxxxxx"],
  ["an endless event of short lines", `data: x\n`.repeat(40)],
  ["an event that arrives at once", `data: ${"x".repeat(101)}\n\n`],
])("rejects %s as too long", (_, text) => {
  const chunks = Array.from({ length: 20 }, () => bytesOf(text));
  expect(decode(chunks, 100).overflowed).toBe(true);
});

test("accepts an event of exactly the limit and returns those before a longer one", () => {
  const allowed = bytesOf(`data: ${"x".repeat(100)}\n\n`);
  expect(decode([allowed], 100)).toMatchObject({ overflowed: false, events: [{}] });
  expect(decode(oneByteEach(allowed), 100)).toMatchObject({ overflowed: false, events: [{}] });
  const longer = bytesOf(`data: a\n\ndata: ${"x".repeat(101)}\n\ndata: b\n\n`);
  expect(decode([longer], 100)).toEqual({ overflowed: true, events: [{ event: undefined, data: "a" }] });
});

test("decodes the same events from any chunks", { timeout: 60_000 }, () => {
  const text = fc.string({ unit: "binary" }).map((value) => JSON.stringify(value));
  const event = fc.record({ name: fc.constantFrom("start", "delta", "done", "error"), data: text });
  const stream = fc.record({
    events: fc.array(event, { maxLength: 8 }),
    lineBreak: fc.constantFrom("\n", "\r", "\r\n"),
    comments: fc.boolean(),
  });
  fc.assert(
    fc.property(
      stream,
      // The sizes of the chunks; null puts a whole event into one chunk.
      fc.array(fc.option(fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 20 }),
      ({ events, lineBreak, comments }, sizes) => {
        const chunks: Uint8Array[] = [];
        for (const { name, data } of events) {
          const lines = [...(comments ? [": keep-alive"] : []), `event: ${name}`, `data: ${data}`, "", ""];
          const bytes = bytesOf(lines.join(lineBreak));
          for (let at = 0; at < bytes.length; at += chunks.at(-1)?.length ?? 0) {
            chunks.push(bytes.subarray(at, at + (sizes[chunks.length % sizes.length] ?? bytes.length)));
          }
        }
        expect(decode(chunks).events).toEqual(events.map(({ name, data }) => ({ event: name, data })));
      },
    ),
    { numRuns: cases(300) },
  );
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
      expect(events.map(({ data }) => `data: ${data}\n\n`)).toEqual([whole]);
    }),
  );
});
