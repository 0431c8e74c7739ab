import { expect, test } from "vitest";
import { conversationLimits } from "../limits.ts";
import { aConversation, aMessage, timelineOf } from "../testing/builders.ts";
import {
  boundsFor,
  boundsWith,
  boundsWithEarlier,
  type ChunkBounds,
  chunksOf,
  countAbove,
} from "./chunks.ts";

const { chunkLength, firstChunks } = conversationLimits;
const dayOf = (time: string | null) => time?.slice(0, 10) ?? null;
const start = Date.parse("2026-06-01T00:00:00.000Z");

function messagesOf(length: number) {
  return Array.from({ length }, (_, index) =>
    aMessage({ text: `${index}`, createdAt: new Date(start + index * 3_600_000).toISOString() }),
  );
}

function chunksFor(messages: ReturnType<typeof messagesOf>, bounds: ChunkBounds) {
  const state = aConversation({ messages });
  return chunksOf(timelineOf(state, dayOf, countAbove(bounds, messages)), bounds);
}

const texts = (chunks: ReturnType<typeof chunksOf>) =>
  chunks.flatMap(({ rows }) =>
    rows.flatMap((row) => (row.kind === "message" ? [Number(row.message.text)] : [])),
  );
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test("starts a long conversation at its last chunks and a short one at its beginning", () => {
  const messages = messagesOf(2_000);
  const chunks = chunksFor(messages, boundsFor([], messages));
  expect(chunks).toHaveLength(firstChunks);
  expect(texts(chunks)).toEqual(range(2_000 - firstChunks * chunkLength, 2_000));
  const few = messagesOf(3);
  expect(texts(chunksFor(few, boundsFor([], few)))).toEqual([0, 1, 2]);
  expect(boundsFor([], [])).toEqual([]);
});

test("starts early enough to include the unread mark", () => {
  const messages = messagesOf(500);
  const chunks = chunksFor(messages, boundsFor([], messages, messages[100]?.id));
  expect(texts(chunks)[0]).toBeLessThan(100);
  expect(texts(chunks).length).toBeLessThan(500);
});

test("puts earlier messages into chunks of their own", () => {
  const messages = messagesOf(100);
  let bounds = boundsFor([], messages.slice(50));
  const before = chunksFor(messages.slice(50), bounds);
  bounds = boundsFor(bounds, messages);
  for (let count = 0; count < 10; count += 1) bounds = boundsWithEarlier(bounds, messages);
  const chunks = chunksFor(messages, bounds);
  expect(texts(chunks)).toEqual(range(0, 100));
  // No row changes its chunk, so rows on screen are not rendered again.
  const ids = (of: typeof chunks) => of.map(({ id }) => id);
  expect(ids(chunks).slice(-before.length)).toEqual(ids(before));
  expect(boundsWithEarlier(bounds, messages)).toBe(bounds);
});

test("starts a new chunk when the last one is full, without moving a row", () => {
  const messages = messagesOf(5 * chunkLength);
  let bounds = boundsFor([], messages.slice(0, chunkLength));
  const seen = new Map<number, string>();
  for (let length = chunkLength; length <= messages.length; length += 1) {
    const shown = messages.slice(0, length);
    bounds = boundsFor(bounds, shown);
    const chunks = chunksFor(shown, bounds);
    expect(texts(chunks)).toEqual(range(0, length));
    for (const chunk of chunks) {
      expect(chunk.rows.length).toBeLessThanOrEqual(3 * chunkLength);
      for (const text of texts([chunk])) {
        expect(seen.get(text) ?? chunk.id).toBe(chunk.id);
        seen.set(text, chunk.id);
      }
    }
  }
  expect(new Set(seen.values()).size).toBeGreaterThan(2);
});

test("extends the chunks up to a distant match and keeps the newest message", () => {
  const messages = messagesOf(1_000);
  const wanted = messages[100]?.id ?? "";
  const bounds = boundsWith(boundsFor([], messages), messages, wanted);
  expect(texts(chunksFor(messages, bounds))).toContain(100);
  expect(texts(chunksFor(messages, bounds)).at(-1)).toBe(999);
  expect(boundsWith(bounds, messages, wanted)).toBe(bounds);
});

test("forgets the bounds of deleted messages", () => {
  const messages = messagesOf(30);
  expect(texts(chunksFor(messages, boundsFor(["gone"], messages)))).toEqual(range(0, 30));
});

test("puts a date heading into the chunk of the message below it", () => {
  const messages = messagesOf(60);
  for (const { rows } of chunksFor(messages, boundsFor([], messages)).slice(1)) {
    expect(rows.at(-1)?.kind).toBe("message");
  }
});
