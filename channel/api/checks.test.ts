/** Checks that all operations share, as far as `e2e/contract` does not cover them. */
import { expect, test } from "vitest";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import { operationPath } from "#lib/chat-api/operations.ts";
import { type TestChannel, testChannel, testOrigin } from "../testing/test-channel.ts";

const ids = { chatId: "chat_0001", fileId: "file_0001" };

async function codeOf(response: Response): Promise<string> {
  const body = (await response.json()) as ErrorBody;
  expect(response.headers.get("x-request-id")).toBe(body.error.requestId);
  expect(body.error.message).not.toBe("");
  return `${response.status} ${body.error.code}`;
}

function plain(channel: TestChannel, url: string, init: RequestInit = {}): Promise<Response> {
  return channel.channel.fetch(new Request(`${testOrigin}${url}`, init));
}

test("answers 404 to an unknown path, and 405 with Allow to HEAD and OPTIONS", async () => {
  const channel = await testChannel();
  const base = `/v1/channels/${channel.channelKey}`;
  expect(await codeOf(await plain(channel, `${base}//chats`, { method: "POST" }))).toBe("404 not_found");
  const path = `${base}${operationPath("listMessages", ids)}`;
  const options = await plain(channel, path, { method: "OPTIONS" });
  expect(options.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "POST"]);
  expect(await codeOf(options)).toBe("405 method_not_allowed");
  const head = await plain(channel, path, { method: "HEAD" });
  expect([head.status, head.headers.get("allow"), await head.text()]).toEqual([
    405,
    options.headers.get("allow"),
    "",
  ]);
  expect(head.headers.get("x-request-id")).toMatch(/^req_[A-Za-z0-9_-]{22}$/);
});

test("logs an unexpected error and answers internal_error without details", async () => {
  const lines: string[] = [];
  const { default: pino } = await import("pino");
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
