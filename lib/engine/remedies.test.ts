import { expect, test } from "vitest";
import { type FailureCode, failure } from "./failure.ts";
import { pausedUntil, remedyFor } from "./remedies.ts";

test("offers to send a message again when the chat does not contain it", () => {
  for (const code of ["operation_interrupted", "internal_error", "upstream_unreachable"] as const)
    expect(remedyFor(failure(code, { isListed: false }))).toMatchObject({
      text: "send_again",
      button: "try_again",
    });
  for (const code of ["turn_in_progress", "service_unavailable"] as const)
    expect(remedyFor(failure(code, { isListed: false }))).toEqual(remedyFor(failure(code)));
});

test("offers to ask again for an unanswered message only while the agent answers", () => {
  const listed = (code: FailureCode, mode: "agent" | "waiting" | "teammate" | "resolved") => {
    const { text, button } = remedyFor(failure(code, { isListed: true, mode }));
    return [text, button];
  };
  expect(listed("operation_interrupted", "agent")).toEqual(["no_answer", "ask_again"]);
  expect(listed("upstream_unreachable", "agent")).toEqual(["no_answer", "ask_again"]);
  expect(listed("operation_superseded", "agent")).toEqual(["other_request_won", "ask_again"]);
  expect(listed("operation_superseded", "waiting")).toEqual(["team_took_over", null]);
  expect(listed("operation_superseded", "teammate")).toEqual(["team_took_over", null]);
  expect(listed("operation_superseded", "resolved")).toEqual(["closed_unanswered", null]);
});

test("shows the contact line where the chat cannot help", () => {
  for (const code of ["chat_unavailable", "invalid_api_key", "chat_limit_reached"] as const)
    expect(remedyFor(failure(code)).showsContact, code).toBe(true);
  expect(remedyFor(failure("rate_limited")).showsContact).toBe(false);
});

test("counts Retry-After from the response and caps it at an hour", () => {
  const refusal = failure("rate_limited", { at: 1_000_000, retryAfterSeconds: 90 });
  expect(pausedUntil(refusal, 1_000_000)).toBe(1_090_000);
  expect(pausedUntil(refusal, 1_060_000)).toBe(1_090_000);
  expect(pausedUntil(refusal, 1_090_000)).toBeNull();
  expect(pausedUntil(failure("rate_limited"), 0)).toBeNull();
  const hour = 60 * 60 * 1_000;
  const endless = { ...refusal, retryAfterSeconds: 1e300 };
  expect(pausedUntil(endless, 1_000_000)).toBe(1_000_000 + hour);
  expect(pausedUntil(endless, 1_000_000 + hour)).toBeNull();
});

test("uses the general remedy when the refused request was not a message", () => {
  expect(remedyFor({ code: "idempotency_conflict" }).text).toBe("could_not_be_sent");
  expect(remedyFor({ code: "idempotency_conflict", isListed: false }).text).toBe("send_again");
});
