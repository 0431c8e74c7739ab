import { expect, test } from "vitest";
import { bffErrorCodes, chatApiErrorCodes, responseOf } from "../chat-api/errors.ts";
import { readRetryAfter, toChatApiError } from "./error-response.ts";

const headers = new Headers({ "x-request-id": "req_header" });

function read(
  error: unknown,
  status: number | undefined = 400,
  operation: "getChat" | "createChat" | "listMessages" | "downloadFile" = "getChat",
) {
  return toChatApiError({ error }, { operation, headers, ...(status === undefined ? {} : { status }) });
}

test.each([...chatApiErrorCodes, ...bffErrorCodes])(
  "reads %s with its field, delay and request ID",
  (code) => {
    const error = read(
      { code, message: "x", requestId: "req_1", field: "/text", retryAfterSeconds: 4 },
      responseOf(code).status,
    );
    expect(error).toMatchObject({
      code,
      requestId: "req_1",
      field: "/text",
      retryAfterSeconds: 4,
      status: responseOf(code).status,
    });
  },
);

test("goes by the code, not the status", () => {
  expect(read({ code: "chat_closed" }, 500).code).toBe("chat_closed");
});

test.each([
  [400, "invalid_request"],
  [401, "invalid_api_key"],
  [403, "channel_disabled"],
  [404, "not_found"],
  [405, "method_not_allowed"],
  [406, "unsupported_accept"],
  [408, "service_unavailable"],
  [409, "operation_interrupted"],
  [413, "payload_too_large"],
  [415, "unsupported_media_type"],
  [418, "invalid_request"],
  [425, "service_unavailable"],
  [429, "rate_limited"],
  [500, "internal_error"],
  [502, "upstream_unreachable"],
  [503, "upstream_unreachable"],
  [504, "upstream_unreachable"],
  [529, "upstream_unreachable"],
])("treats an unknown code with status %d as %s and keeps its request ID", (status, code) => {
  expect(read({ code: "brand_new", requestId: "req_2" }, status)).toMatchObject({ code, requestId: "req_2" });
  expect(read({ code: "brand_new" }, status).message).toContain("brand_new");
});

test("treats an unknown code inside a stream, which has no status, as internal_error", () => {
  const error = toChatApiError({ error: { code: "brand_new" } }, { operation: "sendMessage", headers });
  expect(error.code).toBe("internal_error");
});

test("derives the code of a bare 410 from the operation", () => {
  expect(read({}, 410, "createChat").code).toBe("idempotency_resource_gone");
  expect(read({}, 410, "listMessages").code).toBe("cursor_expired");
  expect(read({}, 410, "downloadFile").code).toBe("file_not_found");
  expect(read({}, 410, "getChat").code).toBe("chat_not_found");
});

test.each([
  null,
  undefined,
  "x",
  7,
  [],
  { code: 7 },
  { code: null },
  { code: "toString" },
  { code: "__proto__" },
])("falls back to status and header for an error body (%j) of another shape", (error) => {
  expect(read(error, 503)).toMatchObject({ code: "upstream_unreachable", requestId: "req_header" });
});

test("keeps foreign text out of the message and all other fields", () => {
  const secret = "ck_secret\nSet-Cookie: a=b";
  const error = read({ code: secret, message: secret, requestId: secret, field: secret }, 500);
  expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain("ck_secret");
  expect(error.requestId).toBe("req_header");
  expect(error.field).toBeUndefined();
  expect(read({ code: "internal_error", message: secret }, 500).message).toBe(
    responseOf("internal_error").sentence,
  );
});

const date = "Mon, 02 Mar 2026 09:30:00 GMT";

function header(value: string, answeredAt = date): Headers {
  return new Headers({ "retry-after": value, date: answeredAt });
}

test.each([
  ["0", 0],
  ["7", 7],
  [" 7 ", 7],
  ["-1", 1],
  ["1.5", 1],
  ["1e9", 1],
  ["abc", 1],
  ["", 1],
  ["2026-03-02T09:30:09Z", 1],
  ["99999999999999999999", 60 * 60],
])("reads the header %j as %d seconds", (value, seconds) => {
  expect(readRetryAfter(header(value), undefined)).toBe(seconds);
});

test("caps a wait at an hour, after which one request asks again", () => {
  for (const long of [3_601, 1e9, 1e300, Number.MAX_VALUE])
    expect(readRetryAfter(header("1"), long), String(long)).toBe(3_600);
  expect(readRetryAfter(header("Mon, 02 Mar 2099 09:30:00 GMT"), undefined)).toBe(3_600);
});

test.each([
  ["the preferred form", "Mon, 02 Mar 2026 09:30:09 GMT", 9],
  ["the form of RFC 850", "Monday, 02-Mar-26 09:30:09 GMT", 9],
  ["the form of asctime", "Mon Mar  2 09:30:09 2026", 9],
  ["a past date", "Mon, 02 Mar 2026 09:29:00 GMT", 0],
  ["an impossible date", "Mon, 99 Mar 2026 09:29:00 GMT", 1],
])("counts a date from the response's own date: %s", (_, value, seconds) => {
  expect(readRetryAfter(header(value), undefined)).toBe(seconds);
});

test("falls back to the local clock without a Date header", () => {
  const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
  const seconds = readRetryAfter(new Headers({ "retry-after": inTenSeconds }), undefined);
  expect(seconds).toBeGreaterThan(7);
  expect(seconds).toBeLessThanOrEqual(10);
});

test("takes the longer wait of header and body; undefined if both are absent", () => {
  expect(readRetryAfter(header("3"), 5)).toBe(5);
  expect(readRetryAfter(header("5"), 3)).toBe(5);
  expect(readRetryAfter(new Headers(), 2.2)).toBe(3);
  expect(readRetryAfter(new Headers(), -4)).toBe(1);
  expect(readRetryAfter(new Headers(), "9")).toBe(1);
  expect(readRetryAfter(new Headers(), Number.NaN)).toBe(1);
  expect(readRetryAfter(new Headers(), null)).toBeUndefined();
  expect(readRetryAfter(new Headers(), undefined)).toBeUndefined();
});
