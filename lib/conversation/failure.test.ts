import { expect, test } from "vitest";
import { ChatApiError } from "../chat-api/errors.ts";
import { ContractError } from "../chat-client/errors.ts";
import { failureOf } from "./failure.ts";

test("treats an unreadable response as connection_lost, others as internal_error", () => {
  const of = (fault: "unreadable" | "shape" | "redirect" | "too_large" | "sequence") =>
    failureOf(new ContractError("sendMessage", fault, "the answer", "req_1"));
  expect(of("unreadable")).toMatchObject({ code: "connection_lost", requestId: null });
  for (const fault of ["shape", "redirect", "too_large", "sequence"] as const)
    expect(of(fault), fault).toMatchObject({ code: "internal_error", requestId: "req_1" });
});

test("keeps the details of a refusal and the time when it happened", () => {
  const before = Date.now();
  const refused = new ChatApiError("rate_limited", {
    requestId: "req_1",
    field: "/text",
    retryAfterSeconds: 40,
  });
  const failed = failureOf(refused);
  expect(failed).toMatchObject({
    code: "rate_limited",
    requestId: "req_1",
    field: "/text",
    retryAfterSeconds: 40,
  });
  expect(failed.at).toBeGreaterThanOrEqual(before);
  expect(failureOf(new TypeError("Failed to fetch")).code).toBe("connection_lost");
});
