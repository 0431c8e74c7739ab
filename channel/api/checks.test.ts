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

test("an unknown path answers 404 to POST; HEAD and OPTIONS answer 405 with Allow", async () => {
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

test("sends integer RateLimit headers on success and Retry-After on refusal", async () => {
  const channel = await testChannel();
  await channel.channel.settings.change({ limits: { requestsPerMinute: 3 } });
  const answers = [];
  for (let request = 0; request < 5; request++) answers.push(await channel.request("/chats", { body: {} }));
  expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 429, 429]);
  expect(answers.slice(0, 3).map((answer) => answer.headers.get("ratelimit-remaining"))).toEqual([
    "2",
    "1",
    "0",
  ]);
  for (const answer of answers.slice(0, 3)) {
    expect(answer.headers.get("ratelimit-limit")).toBe("3");
    const reset = answer.headers.get("ratelimit-reset") ?? "";
    expect(reset).toMatch(/^[1-9][0-9]?$/);
    expect(Number(reset)).toBeLessThanOrEqual(60);
  }
  const refused = answers[3] ?? Response.error();
  const { error } = (await refused.json()) as ErrorBody;
  expect(error.code).toBe("rate_limited");
  expect(refused.headers.get("retry-after")).toBe(String(error.retryAfterSeconds));
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(
    Number(answers[2]?.headers.get("ratelimit-reset")),
  );
});

test("an unexpected error answers internal_error without details, and is logged", async () => {
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
