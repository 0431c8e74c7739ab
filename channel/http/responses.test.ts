/**
 * Database failures become codes after which clients repeat the same request with the same key
 * (docs/chat-api.md, "Error codes").
 */
import pino from "pino";
import { expect, test } from "vitest";
import { ChatApiError, chatApiErrorCodes, responseOf } from "#lib/chat-api/errors.ts";
import { testChannel } from "../testing/test-channel.ts";
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

test("logs an unexpected error and answers internal_error without details", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
  const channel = await testChannel({ log });
  const chatId = await channel.createChat();
  const { sql } = channel.database;
  const select = sql.select.bind(sql);
  sql.select = (() => {
    throw new Error("Kaboom! ck_secret");
  }) as unknown as typeof sql.select;
  const response = await channel.request(`/chats/${chatId}`);
  sql.select = select;
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ error: { code: "internal_error" } });
  expect(text).not.toContain("Kaboom");
  expect(lines.join("")).toContain("Kaboom!");
});
