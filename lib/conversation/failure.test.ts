import { expect, test } from "vitest";
import { ChatApiError } from "../chat-api/errors.ts";
import { ContractError } from "../chat-client/errors.ts";
import { failureOf } from "./failure.ts";

test("an answer that cannot be read is a lost connection, a wrong one a fault of the shop's", () => {
  const of = (fault: "unreadable" | "shape" | "redirect" | "too_large" | "sequence") =>
    failureOf(new ContractError("sendMessage", fault, "the answer", "req_1"));
  expect(of("unreadable")).toMatchObject({ code: "connection_lost", requestId: null });
  for (const fault of ["shape", "redirect", "too_large", "sequence"] as const)
    expect(of(fault), fault).toMatchObject({ code: "internal_error", requestId: "req_1" });
});

test("keeps what the server says of a refusal, and when it said so", () => {
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
