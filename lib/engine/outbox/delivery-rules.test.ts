import { expect, test } from "vitest";
import { errorRules } from "../../chat-api/errors.ts";
import type { Message } from "../../chat-api/message.ts";
import { type Failure, type FailureCode, failure } from "../failure.ts";
import * as conversationLimits from "../limits.ts";
import { aFile, aMessage, aRecord } from "../testing/builders.ts";
import {
  afterLookUp,
  countFailure,
  type FailedAttempts,
  type Listing,
  lookUpCount,
  nextStep,
} from "./delivery-rules.ts";
import { lateNewsOf, matchDelivered } from "./matching.ts";
import type { OutboxRecord } from "./outbox.ts";
import { keepsKey } from "./outbox.ts";

const now = 1_000_000;

/** The steps after repeated failures of this kind, until the customer is asked. */
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

test("the retries of every error code end with a refusal or a look-up", () => {
  for (const code of Object.keys(errorRules) as FailureCode[]) {
    expect(["refuse", "look_up"], code).toContain(stepsOf(failure(code)).at(-1));
  }
});

test("retries a lost connection with growing waits for about two minutes", () => {
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

test("keeps retrying without a limit while the browser is offline", () => {
  const attempts = { code: "connection_lost", count: 1_000, since: 0 } as const;
  expect(nextStep(failure("connection_lost"), attempts, now, true)).toEqual({
    step: "resend",
    after: 15_000,
  });
  expect(nextStep(failure("connection_lost"), attempts, now, false)).toEqual({ step: "refuse" });
});

test("waits longer each time while another turn runs, up to eight seconds", () => {
  expect(stepsOf(failure("turn_in_progress")).slice(0, 4)).toEqual([
    "resend 2000",
    "resend 4000",
    "resend 8000",
    "resend 8000",
  ]);
});

test("waits for a Retry-After as long and as often as its code allows", () => {
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

test("waits for a Retry-After of a minute, but not of an hour", () => {
  for (const code of ["turn_in_progress", "service_unavailable", "file_not_ready"] as const) {
    expect(stepsOf(failure(code, { retryAfterSeconds: 60 }))[0], code).toBe("resend 60000");
    expect(stepsOf(failure(code, { retryAfterSeconds: 3_600 })).length, code).toBe(1);
  }
});

test("renews a missing session or an unusable create key once", () => {
  expect(stepsOf(failure("session_required"))).toEqual(["start_session", "refuse"]);
  expect(stepsOf(failure("idempotency_key_expired"))).toEqual(["renew_create_key", "refuse"]);
  expect(stepsOf(failure("idempotency_resource_gone"))).toEqual(["renew_create_key", "refuse"]);
});

test("starts a new count for a failure with another code", () => {
  const first = countFailure(null, "connection_lost", 1);
  expect(countFailure(first, "connection_lost", 2)).toEqual({ code: "connection_lost", count: 2, since: 1 });
  expect(countFailure(first, "rate_limited", 3)).toEqual({ code: "rate_limited", count: 1, since: 3 });
});

/** The listed message of each record, in order; "?" marks one that may be another's, "!" another's. */
const matched = (records: OutboxRecord[], messages: Message[]) => {
  const matches = matchDelivered(records, messages);
  return records.map(({ key }) => {
    const match = matches.get(key);
    return match && `${match.message.id}${match.isCertain ? "" : match.isOwn ? "?" : "!"}`;
  });
};

test("tells messages with equal text apart by their files", () => {
  const file = aFile();
  const withFile = aMessage({ role: "visitor", text: "", files: [file] });
  expect(matched([aRecord({ text: "", files: [file] })], [withFile])).toEqual([withFile.id]);
  expect(matched([aRecord({ text: "", files: [aFile()] })], [withFile])).toEqual([undefined]);
});

test("doubts each match that depends on which of three equal messages is missing", () => {
  const [first, second] = [0, 1].map(() => aMessage({ role: "visitor", text: "Hello" })) as [
    Message,
    Message,
  ];
  const sent = (afterMessageId: string | null) => aRecord({ text: "Hello", attempted: true, afterMessageId });
  const later = sent(first.id);
  expect(matched([sent(null), sent(null), later], [first, second])).toEqual([
    `${first.id}?`,
    `${second.id}?`,
    `${second.id}!`,
  ]);
  expect(matched([sent(null), later], [first])).toEqual([first.id, undefined]);
});

test("sends a message again under its key while the list may hold another equal one", () => {
  const listed = { message: ownMessage, isCertain: false, isOwn: true };
  const refusedRecord = (code: FailureCode) => aRecord({ text: "Hello", refusal: failure(code) });
  const news = (code: FailureCode) => lateNewsOf(refusedRecord(code), listed, [ownMessage, aMessage()]);
  expect([news("connection_lost"), news("outdated"), news("operation_interrupted")]).toEqual([
    "take_up",
    "none",
    "none",
  ]);
  const unclear = failure("upstream_unreachable");
  expect(afterLookUp(unclear, listed, inList(ownMessage, aMessage()))).toEqual(unclear);
  const refusal = failure("invalid_request");
  const shown = afterLookUp(refusal, { ...listed, isOwn: false }, inList(ownMessage));
  expect(shown === null || keepsKey(shown)).toBe(true);
  expect(afterLookUp(refusal, undefined, inList(ownMessage))).toMatchObject({ code: "invalid_request" });
});

const inList = (...messages: Listing["messages"]): Listing => ({
  messages,
  mode: "agent",
  hasOlder: false,
});
const ownMessage = aMessage({ role: "visitor", text: "Hello" });
const hello = { message: ownMessage, isCertain: true, isOwn: true };

test("reports only unanswered and absent messages after a look-up", () => {
  const interrupted = failure("operation_interrupted");
  expect(afterLookUp(interrupted, undefined, inList())).toEqual({ ...interrupted, isListed: false });
  expect(afterLookUp(interrupted, hello, inList(ownMessage))).toEqual({
    ...interrupted,
    isListed: true,
    mode: "agent",
  });
  expect(afterLookUp(interrupted, hello, inList(ownMessage, aMessage()))).toBeNull();
  expect(afterLookUp(failure("outdated"), hello, inList(ownMessage))).toBeNull();
  expect(afterLookUp(failure("idempotency_conflict"), hello, inList(ownMessage))).toBeNull();
});

test("counts a teammate's message as an answer, but not a system notice", () => {
  const unsure = failure("upstream_unreachable");
  expect(afterLookUp(unsure, hello, inList(ownMessage, aMessage({ role: "system" })))?.isListed).toBe(true);
  expect(afterLookUp(unsure, hello, inList(ownMessage, aMessage({ role: "teammate" })))).toBeNull();
});

test("reports a missing answer outside agent mode only for a superseded turn", () => {
  for (const mode of ["waiting", "teammate", "resolved"] as const) {
    const listing: Listing = { messages: [ownMessage], mode, hasOlder: false };
    expect(afterLookUp(failure("operation_interrupted"), hello, listing), mode).toBeNull();
    expect(afterLookUp(failure("operation_superseded"), hello, listing), mode).toMatchObject({
      isListed: true,
      mode,
    });
  }
});

test("looks for a late answer with growing waits, and gives a button within eight seconds", () => {
  const told = { isListed: true, mode: "agent" } as const;
  expect(lookUpCount(failure("operation_interrupted", told))).toBe(3);
  expect(lookUpCount(failure("internal_error", { isListed: false }))).toBe(1);
  expect(lookUpCount(failure("operation_superseded", { isListed: true, mode: "teammate" }))).toBe(0);
  expect(lookUpCount(failure("idempotency_conflict", { isListed: false }))).toBe(0);
  const { lookUpWaits, newsWaits } = conversationLimits;
  expect(lookUpWaits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(8_000);
  expect(newsWaits.reduce((sum, wait) => sum + wait, 0)).toBe(30_000);
});

test("removes a listed message from the outbox or fetches its answer", () => {
  const reply = aMessage();
  const givenUp = (code: FailureCode, details: Partial<Failure> = {}) =>
    aRecord({ text: "Hello", refusal: failure(code, details) });
  for (const code of [
    "connection_lost",
    "internal_error",
    "operation_interrupted",
    "rate_limited",
  ] as const) {
    expect(lateNewsOf(givenUp(code), undefined, []), code).toBe("none");
    expect(lateNewsOf(givenUp(code), hello, [ownMessage, reply]), code).toBe("settled");
  }
  expect(lateNewsOf(givenUp("connection_lost"), hello, [ownMessage])).toBe("take_up");
  expect(lateNewsOf(givenUp("chat_closed"), hello, [ownMessage])).toBe("settled");
  expect(lateNewsOf(givenUp("operation_interrupted", { isListed: true }), hello, [ownMessage])).toBe("none");
  expect(lateNewsOf(aRecord({ text: "Hello" }), hello, [ownMessage, reply])).toBe("none");
});

test("counts the different failures of a restart as one outage", () => {
  let attempts: FailedAttempts | null = null;
  for (const code of ["connection_lost", "upstream_unreachable", "service_unavailable"] as const)
    attempts = countFailure(attempts, code, now);
  expect(attempts).toEqual({ code: "connection_lost", count: 3, since: now });
});

test("repeats a request with an unknown outcome before it lists the messages", () => {
  expect(stepsOf(failure("upstream_unreachable", { retryAfterSeconds: 2 })).slice(0, 4)).toEqual([
    "resend 2000",
    "resend 2000",
    "resend 4000",
    "resend 8000",
  ]);
  expect(stepsOf(failure("upstream_unreachable")).at(-1)).toBe("look_up");
  expect(stepsOf(failure("internal_error"))).toEqual(["resend 2000", "resend 4000", "look_up"]);
  expect(stepsOf(failure("turn_in_progress")).at(-1)).toBe("look_up");
  expect(stepsOf(failure("internal_error", { retryAfterSeconds: 61 }))).toEqual(["look_up"]);
});
