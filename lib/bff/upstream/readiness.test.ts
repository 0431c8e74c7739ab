import pino from "pino";
import { expect, test } from "vitest";
import { ChatApiError, type ErrorCode } from "../../chat-api/errors.ts";
import { createReadiness } from "./readiness.ts";
import type { Upstream, UpstreamClient } from "./upstream.ts";

/** A Chat API that answers every read of a chat with this code. */
function readinessWith(code: ErrorCode, clock: () => number = () => 0) {
  let reads = 0;
  const getChat = async () => {
    reads += 1;
    throw new ChatApiError(code);
  };
  const upstream: Upstream = { client: () => ({ getChat }) as unknown as UpstreamClient };
  return { readiness: createReadiness(upstream, pino({ enabled: false }), clock), reads: () => reads };
}

test.each([
  ["chat_not_found", true],
  ["rate_limited", true],
  ["chat_unavailable", false],
  ["upstream_unreachable", false],
] as const)("a Chat API that answers %s counts as ready: %s", async (code, isReady) => {
  expect(await readinessWith(code).readiness.check()).toBe(isReady);
});

test("asks the Chat API once in five seconds, however many checks arrive", async () => {
  let now = 0;
  const { readiness, reads } = readinessWith("chat_not_found", () => now);
  await Promise.all([readiness.check(), readiness.check()]);
  now += 4_999;
  await readiness.check();
  expect(reads()).toBe(1);
  now += 1;
  await readiness.check();
  expect(reads()).toBe(2);
});
