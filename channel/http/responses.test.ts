/**
 * Database failures become codes after which clients repeat the same request with the same key
 * (docs/chat-api.md, "Error codes").
 */
import { expect, test } from "vitest";
import { ChatApiError, chatApiErrorCodes, responseOf } from "#lib/chat-api/errors.ts";
import { asChatApiError, errorResponse } from "./responses.ts";

function databaseError(code: string): Error {
  return new Error("Failed query", { cause: Object.assign(new Error("gone"), { code }) });
}

test("maps an unavailable database to service_unavailable or internal_error", () => {
  for (const name of ["sendMessage", "submitCollection", "handoff"] as const)
    expect(asChatApiError(databaseError("57P01"), name).code).toBe("service_unavailable");
  for (const name of ["createChat", "uploadFile", "getChat", undefined] as const)
    expect(asChatApiError(databaseError("57P01"), name).code).toBe("internal_error");
  for (const error of [databaseError("23505"), new TypeError("bug")])
    expect(asChatApiError(error, "sendMessage").code).toBe("internal_error");
});

test("every 429 and 503 carries Retry-After in header and body", async () => {
  for (const code of chatApiErrorCodes) {
    const error = asChatApiError(new ChatApiError(code), "sendMessage");
    const response = errorResponse(error, "req_1");
    const { status } = responseOf(code);
    expect(response.status).toBe(status);
    const waits = status === 429 || status === 503;
    const retryAfter = response.headers.get("retry-after");
    expect(retryAfter !== null, code).toBe(waits);
    const { error: body } = await response.json();
    expect(body.retryAfterSeconds === undefined ? null : String(body.retryAfterSeconds)).toBe(retryAfter);
  }
});

test("asks to wait longer for a full plan than for anything else, unless the error says how long", () => {
  const secondsOf = (error: ChatApiError) => asChatApiError(error, "sendMessage").retryAfterSeconds;
  expect(secondsOf(new ChatApiError("chat_limit_reached"))).toBe(3_600);
  expect(secondsOf(new ChatApiError("capacity_limited"))).toBe(2);
  expect(secondsOf(new ChatApiError("chat_limit_reached", { retryAfterSeconds: 7 }))).toBe(7);
});
