import { expect, test } from "vitest";
import { ChatApiError } from "../../chat-api/errors.ts";
import type { Failure } from "../failure.ts";
import { createFailureOf } from "../failure.ts";
import { repeatWrite } from "./repeat-write.ts";

test("reports the reason and the end of each wait and repeats the write", async () => {
  const failures = [
    new ChatApiError("rate_limited", { retryAfterSeconds: 40 }),
    new ChatApiError("internal_error"),
  ];
  const events: unknown[] = [];
  const attempt = async () => {
    events.push("attempt");
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return "done";
  };
  const sleep = async (milliseconds: number) => void events.push(milliseconds);
  const onWaiting = (failure: Failure | null) => void events.push(failure?.code ?? "over");
  const { signal } = new AbortController();
  const deps = { signal, sleep, isOnline: () => true, failureOf: createFailureOf() };
  expect(await repeatWrite(deps, attempt, onWaiting)).toBe("done");
  expect(events).toEqual([
    "attempt",
    "rate_limited",
    40_000,
    "over",
    "attempt",
    "internal_error",
    2_000,
    "over",
    "attempt",
  ]);
});
