import { expect, test, vi } from "vitest";
import { ChatApiError } from "../chat-api/errors.ts";
import type { OperationName } from "../chat-api/operations.ts";
import { ChatConnectionError, ContractError, type ContractErrorKind } from "../chat-client/errors.ts";
import { createFailureOf, RefusedPageError } from "./failure.ts";

const failureOf = createFailureOf();

test("looks a message up after a wrong response, and repeats it after an unreadable one", () => {
  const of = (kind: ContractErrorKind, operation: OperationName = "sendMessage") =>
    failureOf(new ContractError(operation, kind, "the answer", "req_1"));
  expect(of("unreadable")).toMatchObject({ code: "connection_lost", requestId: null });
  for (const kind of ["shape", "too_large", "sequence"] as const) {
    expect(of(kind), kind).toMatchObject({ code: "operation_interrupted", requestId: "req_1" });
    expect(of(kind, "uploadFile"), kind).toMatchObject({ code: "internal_error", requestId: "req_1" });
  }
  expect(of("redirect")).toMatchObject({ code: "internal_error" });
});

test("keeps the details of a refusal and the time when it happened", () => {
  const before = Date.now();
  const refusal = new ChatApiError("rate_limited", {
    requestId: "req_1",
    field: "/text",
    retryAfterSeconds: 40,
  });
  const failed = failureOf(refusal);
  expect(failed).toMatchObject({
    code: "rate_limited",
    requestId: "req_1",
    field: "/text",
    retryAfterSeconds: 40,
    hint: null,
  });
  expect(failed.at).toBeGreaterThanOrEqual(before);
});

test("keeps what the server says to the developer of a refused page", () => {
  const refused = new RefusedPageError("request_not_allowed", { message: "Add this origin." });
  expect(failureOf(refused)).toMatchObject({ code: "request_not_allowed", hint: "Add this origin." });
});

test("reports an error that it does not know once, and does not call it a lost connection", () => {
  const reported = vi.fn();
  const failureOf = createFailureOf(reported);
  for (const known of [
    new ChatConnectionError("sendMessage", "unreachable"),
    new DOMException("", "TimeoutError"),
  ])
    expect(failureOf(known).code).toBe("connection_lost");
  expect(reported).not.toHaveBeenCalled();
  const unknown = new TypeError("Cannot read properties of undefined");
  expect([failureOf(unknown).code, failureOf(unknown).code]).toEqual(["page_error", "page_error"]);
  expect(reported.mock.calls).toEqual([[unknown]]);
});

test("reports the errors of each chat to its own host", () => {
  const [one, other] = [vi.fn(), vi.fn()];
  const unknown = new RangeError("of both");
  createFailureOf(one)(unknown);
  createFailureOf(other)(unknown);
  expect([one.mock.calls, other.mock.calls]).toEqual([[[unknown]], [[unknown]]]);
});

test("reports a failure of the host's function to the page", () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const thrown = new Error("of the host");
  const failureOf = createFailureOf(() => {
    throw thrown;
  });
  expect(failureOf(new RangeError("ours")).code).toBe("page_error");
  expect(reported.mock.calls).toEqual([[thrown]]);
});
