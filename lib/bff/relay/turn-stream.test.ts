import { expect, test, vi } from "vitest";
import { ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import { aChat, aMessage } from "../../chat-api/testing/builders.ts";
import { encodeTurnEvent, keepAliveComment } from "../../chat-api/turn-events.ts";
import type { StreamedEvent } from "../../chat-client/client.ts";
import { aStart } from "../../chat-client/testing/streams.ts";
import { bffLimits } from "../configuration/limits.ts";
import { TurnWriter, type TurnWriterOptions } from "./turn-stream.ts";

const delta = (text: string): StreamedEvent => ({ type: "delta", text });
const done: StreamedEvent = { type: "done", item: { message: aMessage(), reply: null, chat: aChat() } };

/** Writes these events, after which the Chat API is silent. */
function writerOf(
  events: readonly StreamedEvent[],
  stop?: ChatApiError,
  checkCaller: TurnWriterOptions["checkCaller"] = () => undefined,
) {
  const reports = { outcomes: [] as string[], aborts: 0, unexpected: [] as unknown[] };
  const writer = new TurnWriter({
    requestId: "req_1",
    browser: new AbortController().signal,
    checkCaller,
    abortUpstream: () => {
      reports.aborts += 1;
    },
    onUnexpectedError: (thrown) => reports.unexpected.push(thrown),
    onEnd: (outcome) => reports.outcomes.push(outcome),
  });
  for (const event of events) writer.send(event);
  if (stop !== undefined) writer.fail(stop);
  return { writer, reports };
}

/** The body that these events become, and what its writer has reported. */
function written(
  events: readonly StreamedEvent[],
  ...more: [ChatApiError?, TurnWriterOptions["checkCaller"]?]
) {
  const { writer, reports } = writerOf([aStart(), ...events], ...more);
  return { body: writer.body, reports };
}

test("joins deltas that wait for a slow reader", async () => {
  const letters = [..."abcdefghij"].map(delta);
  const { body } = written([...letters, done]);
  const text = await new Response(body).text();
  expect(text.match(/^event: \w+$/gm)).toEqual(["event: start", "event: delta", "event: done"]);
  expect(text).toContain('{"text":"abcdefghij"}');
});

test("sends the error when the stream is stopped before its body is read", async () => {
  const { body, reports } = written([], new ChatApiError("session_required"));
  expect(await new Response(body).text()).toContain("session_required");
  expect(reports).toMatchObject({ outcomes: ["error"], aborts: 1, unexpected: [] });
});

test("disconnects a reader that does not read a keep-alive comment", async () => {
  vi.useFakeTimers();
  const { body, reports } = written([]);
  const reader = body.getReader();
  await reader.read();
  await vi.advanceTimersByTimeAsync(limits.keepAliveInterval + bffLimits.readerStallTime - 1);
  expect(reports.outcomes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(reports).toMatchObject({ outcomes: ["stalled"], aborts: 1 });
  await expect(reader.read()).rejects.toThrow("stalled");
});

test("keeps a reader that reads every comment, however long the reply takes", async () => {
  vi.useFakeTimers();
  const { body, reports } = written([]);
  const reader = body.getReader();
  await reader.read();
  for (let comment = 0; comment < 10; comment += 1) {
    const read = reader.read();
    await vi.advanceTimersByTimeAsync(limits.keepAliveInterval);
    expect(new TextDecoder().decode((await read).value)).toBe(keepAliveComment);
  }
  expect(reports.outcomes).toEqual([]);
});

test("disconnects a reader that does not read the last event", async () => {
  vi.useFakeTimers();
  const { body, reports } = written([done]);
  const reader = body.getReader();
  await vi.advanceTimersByTimeAsync(bffLimits.readerStallTime);
  expect(reports).toMatchObject({ outcomes: ["stalled"], aborts: 1 });
  await expect(reader.read()).rejects.toThrow("stalled");
});

test("puts events that arrive together in one write, and writes a lone delta at once", async () => {
  const { writer } = writerOf([]);
  const reader = writer.body.getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  const first = next();
  for (const event of [aStart(), ...[..."abc"].map(delta)]) writer.send(event);
  expect(await first).toContain('{"text":"abc"}');
  const second = next();
  writer.send(delta("d"));
  expect(await second).toBe(encodeTurnEvent({ type: "delta", text: "d" }));
  writer.send(done);
  await next();
});

test("drops waiting events when checkCaller reports a new caller", async () => {
  const checkCaller = async () => new ChatApiError("session_required");
  const { body, reports } = written([delta("not yours")], undefined, checkCaller);
  const text = await new Response(body).text();
  expect(text).toContain("session_required");
  expect(text).not.toContain("not yours");
  expect(reports).toMatchObject({ outcomes: ["error"], aborts: 1, unexpected: [] });
});
