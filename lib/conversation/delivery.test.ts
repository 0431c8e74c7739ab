import { expect, test } from "vitest";
import { bffErrorCodes, chatApiErrorCodes } from "#lib/chat-api/errors.ts";
import {
  afterLookUp,
  countFailure,
  type FailedAttempts,
  findDelivered,
  isOutdated,
  nextStep,
} from "./delivery.ts";
import { type Failure, type FailureCode, failure } from "./failure.ts";
import { aFile, aMessage, aRecord } from "./testing/builders.ts";

const now = 1_000_000;

/** The steps after this failure, time and again, until the customer is asked. */
function stepsOf(failed: Failure): string[] {
  const steps: string[] = [];
  let attempts: FailedAttempts | null = null;
  let time = now;
  while (steps.length < 40) {
    attempts = countFailure(attempts, failed.code, time);
    const step = nextStep(failed, attempts, time);
    steps.push(step.step === "resend" ? `resend ${step.after}` : step.step);
    if (step.step !== "resend" && step.step !== "start_session" && step.step !== "renew_create_key") break;
    time += step.step === "resend" ? step.after : 0;
  }
  return steps;
}

test("every code ends with the customer or a look at the list", () => {
  for (const code of [
    ...chatApiErrorCodes,
    ...bffErrorCodes,
    "connection_lost",
    "outdated",
  ] as FailureCode[]) {
    expect(["refuse", "look_up"], code).toContain(stepsOf(failure(code)).at(-1));
  }
});

test("a lost connection is tried again for about two minutes, at a slowing pace", () => {
  const steps = stepsOf(failure("connection_lost"));
  expect(steps.slice(0, 6)).toEqual([
    "resend 1000",
    "resend 2000",
    "resend 4000",
    "resend 8000",
    "resend 15000",
    "resend 15000",
  ]);
  expect(steps).toHaveLength(12);
});

test("without a network the message waits for it, however long", () => {
  const attempts = { code: "connection_lost", count: 1_000, since: 0 } as const;
  expect(nextStep(failure("connection_lost"), attempts, now, true)).toEqual({
    step: "resend",
    after: 15_000,
  });
  expect(nextStep(failure("connection_lost"), attempts, now, false)).toEqual({ step: "refuse" });
});

test("while another answer runs the message waits two minutes, then the customer decides", () => {
  expect(stepsOf(failure("turn_in_progress")).slice(0, 4)).toEqual([
    "resend 2000",
    "resend 4000",
    "resend 8000",
    "resend 8000",
  ]);
});

test("a server that asks for time gets it, once and not for longer than a minute", () => {
  expect(stepsOf(failure("rate_limited", { retryAfterSeconds: 12 }))).toEqual(["resend 12000", "refuse"]);
  expect(stepsOf(failure("rate_limited", { retryAfterSeconds: 61 }))).toEqual(["refuse"]);
  expect(stepsOf(failure("capacity_limited", { retryAfterSeconds: 3 }))).toEqual([
    "resend 3000",
    "resend 3000",
    "resend 3000",
    "refuse",
  ]);
  expect(stepsOf(failure("chat_limit_reached", { retryAfterSeconds: 121 }))).toEqual(["refuse"]);
  expect(stepsOf(failure("chat_limit_reached"))).toEqual(["refuse"]);
});

test("a server that asks for an hour is not waited for: the customer sees the time and a button", () => {
  for (const code of ["turn_in_progress", "service_unavailable", "file_not_ready"] as const) {
    expect(stepsOf(failure(code, { retryAfterSeconds: 60 }))[0], code).toBe("resend 60000");
    expect(stepsOf(failure(code, { retryAfterSeconds: 3_600 })), code).toEqual(["refuse"]);
  }
});

test("a lost session and a spent create key are renewed once", () => {
  expect(stepsOf(failure("session_required"))).toEqual(["start_session", "refuse"]);
  expect(stepsOf(failure("idempotency_key_expired"))).toEqual(["renew_create_key", "refuse"]);
  expect(stepsOf(failure("idempotency_resource_gone"))).toEqual(["renew_create_key", "refuse"]);
});

test("a failure with another code begins a new count", () => {
  const first = countFailure(null, "connection_lost", 1);
  expect(countFailure(first, "connection_lost", 2)).toEqual({ code: "connection_lost", count: 2, since: 1 });
  expect(countFailure(first, "rate_limited", 3)).toEqual({ code: "rate_limited", count: 1, since: 3 });
});

test("after a day without an outcome nothing is sent without the customer's word", () => {
  const day = 24 * 60 * 60 * 1_000;
  const record = aRecord({ createdAt: now });
  expect(isOutdated(record, now + day - 1)).toBe(false);
  expect(isOutdated(record, now + day)).toBe(true);
});

test("a record's message is the first one like it after what was seen at the press", () => {
  const earlier = aMessage({ role: "visitor", text: "Hello" });
  const seen = aMessage();
  const delivered = aMessage({ role: "visitor", text: "Hello" });
  const record = aRecord({ text: "Hello", afterMessageId: seen.id });
  expect(findDelivered(record, [earlier, seen, delivered])).toBe(delivered);
  expect(findDelivered(record, [earlier, seen])).toBeNull();
});

test("files tell two messages with the same text apart", () => {
  const file = aFile();
  const withFile = aMessage({ role: "visitor", text: "", files: [file] });
  expect(findDelivered(aRecord({ text: "", files: [file] }), [withFile])).toBe(withFile);
  expect(findDelivered(aRecord({ text: "", files: [aFile()] }), [withFile])).toBeNull();
});

test("after a look at the list only an unanswered or absent message is left to the customer", () => {
  const record = aRecord({ text: "Hello" });
  const message = aMessage({ role: "visitor", text: "Hello" });
  const interrupted = failure("operation_interrupted");
  expect(afterLookUp(interrupted, record, [])).toEqual({ ...interrupted, isListed: false });
  expect(afterLookUp(interrupted, record, [message])).toEqual({ ...interrupted, isListed: true });
  expect(afterLookUp(interrupted, record, [message, aMessage()])).toBeNull();
  expect(afterLookUp(failure("operation_superseded"), record, [message])).toBeNull();
  expect(afterLookUp(failure("outdated"), record, [message])).toBeNull();
  expect(afterLookUp(failure("idempotency_conflict"), record, [message])).toBeNull();
});
