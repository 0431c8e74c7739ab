/** The checks that all operations share (docs/chat-api.md, "General rules", "Error codes"). */
import { expect, test } from "vitest";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import { operationNames, operationPath, operations } from "#lib/chat-api/operations.ts";
import { type TestChannel, testChannel, testOrigin } from "../testing/test-channel.ts";

const ids = { chatId: "chat_0001", fileId: "file_0001" };

async function codeOf(response: Response): Promise<string> {
  const body = (await response.json()) as ErrorBody;
  expect(response.headers.get("x-request-id")).toBe(body.error.requestId);
  expect(body.error.message).not.toBe("");
  return `${response.status} ${body.error.code}`;
}

async function refusal(channel: TestChannel, path: string, call = {}): Promise<string> {
  return codeOf(await channel.request(path, call));
}

function plain(channel: TestChannel, url: string, init: RequestInit = {}): Promise<Response> {
  return channel.channel.fetch(new Request(`${testOrigin}${url}`, init));
}

test("a missing or wrong chat key is refused before any other check", async () => {
  const channel = await testChannel();
  const wrong = [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearer ck_wrong",
    `Basic ${channel.chatKey}`,
    channel.chatKey,
    `Bearer ${channel.chatKey.slice(0, -1)}`,
    `Bearer ${channel.chatKey} x`,
    `Bearer ${channel.chatKey}, Bearer ${channel.chatKey}`,
  ];
  for (const name of operationNames) {
    const { method } = operations[name];
    for (const authorization of wrong) {
      const answer = await refusal(channel, operationPath(name, { chatId: "short", fileId: "!" }), {
        method,
        headers: { authorization },
      });
      expect(answer, `${name} ${authorization}`).toBe("401 invalid_api_key");
    }
  }
});

test("the Authorization scheme is case-insensitive", async () => {
  const channel = await testChannel();
  for (const scheme of ["bearer", "BEARER"]) {
    const response = await channel.request("/chats", {
      body: {},
      headers: { authorization: `${scheme} ${channel.chatKey}` },
    });
    expect(response.status).toBe(201);
  }
});

test("refuses another channel's chat key; a malformed channel key is an invalid ID", async () => {
  const channel = await testChannel();
  const headers = { authorization: `Bearer ${channel.chatKey}` };
  expect(
    await codeOf(await plain(channel, "/v1/channels/dep_another_one/chats/chat_0001", { headers })),
  ).toBe("401 invalid_api_key");
  for (const channelKey of [
    "dep_short",
    "dep_UPPERCASE",
    "xep_demo_shop",
    `dep_${"a".repeat(81)}`,
    "dep_a%2Fb_c_d",
  ]) {
    const path = `/v1/channels/${channelKey}/chats/chat_0001`;
    expect(await codeOf(await plain(channel, path, { headers })), channelKey).toBe("400 invalid_id");
    expect(await codeOf(await plain(channel, path)), channelKey).toBe("401 invalid_api_key");
  }
});

test("every operation refuses requests with an Origin header", async () => {
  const channel = await testChannel();
  for (const name of operationNames) {
    for (const origin of ["https://shop.example", "null", "", testOrigin]) {
      for (const headers of [{ origin }, { ORIGIN: origin, authorization: undefined }]) {
        const { method } = operations[name];
        const answer = await refusal(channel, operationPath(name, ids), { method, headers });
        expect(answer, `${name} ${origin}`).toBe("403 origin_not_allowed");
      }
    }
  }
});

test("unknown paths answer 404, wrong methods 405 with Allow", async () => {
  const channel = await testChannel();
  const base = `/v1/channels/${channel.channelKey}`;
  for (const path of [
    "/",
    "/v1",
    "/v1/nope",
    "/v2/channels/dep_demo_shop/chats",
    base,
    `${base}/`,
    `${base}/chats/`,
    `${base}/chats/chat_0001/`,
    `${base}/chats/chat_0001/nope`,
    `${base}/chats/chat_0001/messages/msg_0001`,
    `${base}//chats`,
    `${base}/Chats`,
  ]) {
    expect(await codeOf(await plain(channel, path)), path).toBe("404 not_found");
    expect(await codeOf(await plain(channel, path, { method: "POST" })), path).toBe("404 not_found");
  }
  const allowed = new Map<string, string[]>();
  for (const name of operationNames) {
    const path = operationPath(name, ids);
    allowed.set(path, [...(allowed.get(path) ?? []), operations[name].method]);
  }
  expect(allowed.size).toBe(7);
  for (const [path, methods] of allowed) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (methods.includes(method)) continue;
      const response = await plain(channel, `${base}${path}`, { method });
      expect(response.headers.get("allow")?.split(", ").toSorted()).toEqual(methods.toSorted());
      expect(await codeOf(response), `${method} ${path}`).toBe("405 method_not_allowed");
    }
    const head = await plain(channel, `${base}${path}`, { method: "HEAD" });
    expect([head.status, head.headers.get("allow"), await head.text()]).toEqual([
      405,
      methods.join(", "),
      "",
    ]);
    expect(head.headers.get("x-request-id")).toMatch(/^req_/);
  }
});

test("malformed IDs are refused without a database query", async () => {
  const channel = await testChannel();
  const malformed = [
    "short12",
    "a".repeat(129),
    "chat.0001",
    "chat%2F0001",
    "..%2F..%2Fadmin",
    "chat_0001%00",
    "chat_0001%0a",
    "chat_0001%0d%0a",
    "%63hat_00%2541",
    "chat_%ff%ff%ff",
    "ｃｈａｔ０００１",
    "chat 0001",
    "chat_0001%3Flimit=1",
    "chat_0001%23",
    "%E2%82%AC%E2%82%AC%E2%82%AC%E2%82%AC%E2%82%AC%E2%82%AC%E2%82%AC%E2%82%AC",
  ];
  for (const id of malformed) {
    for (const name of operationNames.filter((candidate) => candidate !== "createChat")) {
      const path = operations[name].path.replace("{chatId}", id).replace("{fileId}", "file_0001");
      expect(await refusal(channel, path, { method: operations[name].method }), `${name} ${id}`).toBe(
        "400 invalid_id",
      );
    }
    expect(await refusal(channel, `/chats/chat_0001/files/${id}`), id).toBe("400 invalid_id");
  }
  for (const id of ["12345678", "a".repeat(128), "-_-_-_-_", "%63hat_0001"])
    expect(await refusal(channel, `/chats/${id}`), id).toBe("404 chat_not_found");
});

test("an unpublished channel and a suspended workspace refuse valid keys", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await channel.channel.settings.change({ published: false, suspended: true });
  for (const name of operationNames) {
    const { method } = operations[name];
    const path = operationPath(name, ids);
    expect(await refusal(channel, path, { method })).toBe("403 channel_disabled");
    expect(await refusal(channel, path, { method, headers: { authorization: "Bearer ck_wrong" } })).toBe(
      "401 invalid_api_key",
    );
  }
  await channel.channel.settings.change({ published: true });
  expect(await refusal(channel, `/chats/${chatId}`)).toBe("403 workspace_suspended");
  expect(await refusal(channel, "/chats/short")).toBe("403 workspace_suspended");
  await channel.channel.settings.change({ suspended: false });
  expect((await channel.request(`/chats/${chatId}`)).status).toBe(200);
});

test("every response has a new request ID, whatever the caller sent", async () => {
  const channel = await testChannel();
  const seen = new Set<string>();
  const chatId = await channel.createChat();
  const headers = { "x-request-id": "req_mine" };
  const responses = [
    await channel.request(`/chats/${chatId}`, { headers }),
    await channel.request("/chats/short", { headers }),
    await channel.request("/nope", { headers }),
    await channel.request(`/chats/${chatId}`, { method: "DELETE", headers }),
    await channel.request(`/chats/${chatId}/messages`, {
      body: { text: "Hello" },
      headers: { ...headers, accept: "text/event-stream" },
    }),
    await plain(channel, "/healthz", { headers }),
  ];
  for (const response of responses) {
    const requestId = response.headers.get("x-request-id") ?? "";
    expect(requestId).toMatch(/^req_[A-Za-z0-9_-]{22}$/);
    seen.add(requestId);
  }
  expect(seen.size).toBe(responses.length);
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

test("the rate limit window follows the channel's clock", async () => {
  const channel = await testChannel();
  await channel.channel.settings.change({ limits: { requestsPerMinute: 1 } });
  expect((await channel.request("/chats", { body: {} })).status).toBe(201);
  expect((await channel.request("/chats", { body: {} })).status).toBe(429);
  await channel.channel.settings.change({ clockOffsetMs: 60_000 });
  expect((await channel.request("/chats", { body: {} })).status).toBe(201);
});

test("a replay counts against the rate limit and succeeds afterwards", async () => {
  const channel = await testChannel();
  const key = "create-0001";
  const first = await channel.call("/chats", { body: {}, key });
  await channel.channel.settings.change({ limits: { requestsPerMinute: 0 } });
  expect((await channel.call("/chats", { body: {}, key })).status).toBe(429);
  await channel.channel.settings.change({ limits: { requestsPerMinute: null } });
  const replay = await channel.call("/chats", { body: {}, key });
  expect([replay.status, replay.body]).toEqual([200, first.body]);
});

test("the Host header has no effect", async () => {
  const channel = await testChannel();
  const response = await channel.request("/chats", { body: {}, headers: { host: "evil.example" } });
  expect(response.status).toBe(201);
  expect(JSON.stringify([await response.json(), [...response.headers]])).not.toContain("evil");
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
