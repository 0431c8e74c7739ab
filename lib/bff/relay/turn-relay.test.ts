import { expect, test, vi } from "vitest";
import { ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import { aChat, aMessage } from "../../chat-api/testing/builders.ts";
import { keepAliveComment } from "../../chat-api/turn-events.ts";
import type { StreamedEvent } from "../../chat-client/client.ts";
import { aStart } from "../../chat-client/testing/streams.ts";
import { bffLimits } from "../configuration/limits.ts";
import { toPlatformResponse } from "../transport/chat-response.ts";
import { TurnRelay, type TurnRelayOptions } from "./turn-relay.ts";

const delta = (text: string): StreamedEvent => ({ type: "delta", text });
const done: StreamedEvent = { type: "done", item: { message: aMessage(), reply: null, chat: aChat() } };

/** Relays these events, after which the Chat API is silent. */
function relayOf(
  events: readonly StreamedEvent[],
  stop?: ChatApiError,
  checkCaller: TurnRelayOptions["checkCaller"] = () => undefined,
) {
  const reports = { outcomes: [] as string[], aborts: 0, unexpected: [] as unknown[] };
  const relay = new TurnRelay({
    requestId: "req_1",
    browser: new AbortController().signal,
    checkCaller,
    abortUpstream: () => {
      reports.aborts += 1;
    },
    onUnexpectedError: (thrown) => reports.unexpected.push(thrown),
    onEnd: (outcome) => reports.outcomes.push(outcome),
  });
  for (const event of events) relay.send(event);
  if (stop !== undefined) relay.fail(stop);
  return { relay, reports };
}

/** The body of a relay of these events, and what the relay has reported. */
function relayed(
  events: readonly StreamedEvent[],
  ...more: [ChatApiError?, TurnRelayOptions["checkCaller"]?]
) {
  const { relay, reports } = relayOf([aStart(), ...events], ...more);
  const { body } = toPlatformResponse({ status: 201, headers: {}, body: relay });
  if (body === null) throw new Error("A relay is a body");
  return { body, reports };
}

test("joins deltas that wait for a slow reader", async () => {
  const letters = [..."abcdefghij"].map(delta);
  const { body } = relayed([...letters, done]);
  const text = await new Response(body).text();
  expect(text.match(/^event: \w+$/gm)).toEqual(["event: start", "event: delta", "event: done"]);
  expect(text).toContain('{"text":"abcdefghij"}');
});

test("sends the error when the relay is stopped before its body is read", async () => {
  const { body, reports } = relayed([], new ChatApiError("session_required"));
  expect(await new Response(body).text()).toContain("session_required");
  expect(reports).toMatchObject({ outcomes: ["error"], aborts: 1, unexpected: [] });
});

test("disconnects a reader that does not read a keep-alive comment", async () => {
  vi.useFakeTimers();
  const { body, reports } = relayed([]);
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
  const { body, reports } = relayed([]);
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
  const { body, reports } = relayed([done]);
  const reader = body.getReader();
  await vi.advanceTimersByTimeAsync(bffLimits.readerStallTime);
  expect(reports).toMatchObject({ outcomes: ["stalled"], aborts: 1 });
  await expect(reader.read()).rejects.toThrow("stalled");
});

test("puts events that arrive together in one write, and writes a lone delta at once", async () => {
  const { relay } = relayOf([]);
  const writes: string[] = [];
  relay.open({
    write(text) {
      writes.push(text);
      return true;
    },
    end: () => undefined,
    destroy: () => undefined,
  });
  relay.drained();
  for (const event of [aStart(), ...[..."abc"].map(delta)]) relay.send(event);
  await Promise.resolve();
  expect(writes).toHaveLength(1);
  expect(writes[0]).toContain('{"text":"abc"}');
  relay.send(delta("d"));
  await Promise.resolve();
  expect(writes).toHaveLength(2);
  relay.send(done);
  await Promise.resolve();
});

test.each([
  ["at once", () => new ChatApiError("session_required")],
  ["later", async () => new ChatApiError("session_required")],
])("drops waiting events when checkCaller reports a new caller %s", async (_, checkCaller) => {
  const { body, reports } = relayed([delta("not yours")], undefined, checkCaller);
  const text = await new Response(body).text();
  expect(text).toContain("session_required");
  expect(text).not.toContain("not yours");
  expect(reports).toMatchObject({ outcomes: ["error"], aborts: 1, unexpected: [] });
});
