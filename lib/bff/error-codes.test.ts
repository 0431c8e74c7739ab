/** The BFF's part of each error code: what the browser gets, how often the Chat API is asked, what the operator reads. */
import { expect, test } from "vitest";
import { type ChatApiErrorCode, chatApiErrorCodes, errorRules, sentenceOf } from "#lib/chat-api/errors.ts";
import { type OperationName, operationPath, operations } from "#lib/chat-api/operations.ts";
import { userIdOfCustomer } from "./identity.ts";
import { hostilePeer, ownerOfChat } from "./testing/hostile-set-up.ts";
import { errorBody, json, ownChat } from "./testing/hostile-upstream.ts";
import { freshKey, startTestBff, type TestBff, type TestBrowser } from "./testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();

/** A BFF of its own for each code: a breaker that opened for one must not answer for the next. */
async function withBff<T>(
  run: (browser: TestBrowser, t: TestBff, waits: number[]) => Promise<T>,
): Promise<T> {
  const waits: number[] = [];
  const t = startTestBff(environment, {
    sleep: async (milliseconds) => void waits.push(milliseconds),
  });
  try {
    return await run(await ownerOfChat(t, upstream), t, waits);
  } finally {
    await t.stop();
  }
}

const ids = { chatId: "chat_0001", fileId: "file_0001" };
const bodies: Partial<Record<OperationName, object>> = {
  createChat: {},
  sendMessage: { text: "hello" },
  submitCollection: { collectionRequestId: "r", expectedVersion: 1, action: "save" },
  handoff: { confirmationId: "c" },
};

function call(browser: TestBrowser, operation: OperationName): Promise<Response> {
  const path = `/api${operationPath(operation, ids)}`;
  if (operations[operation].method === "GET") return browser.get(path);
  const body = bodies[operation];
  if (body !== undefined) return browser.post(path, body);
  const form = new FormData();
  form.append("file", new Blob(["text"], { type: "text/plain" }), "a.txt");
  return browser.send(path, { method: "POST", body: form, headers: { "idempotency-key": freshKey() } });
}

/** The operation of the specification that this code belongs to. */
const operationOf = (code: ChatApiErrorCode): OperationName => {
  const own = Object.entries(operations).find(([, { errors }]) => errors.some((error) => error === code));
  return own === undefined ? "listMessages" : (own[0] as OperationName);
};

function refuseWith(code: ChatApiErrorCode, operation: OperationName, more: object = {}, headers = {}) {
  const { method } = operations[operation];
  upstream.on(`${method} ${operationPath(operation, ids)}`, (_, answer) =>
    json(answer, errorRules[code].status, errorBody(code, more), headers),
  );
}

const askedFor = (operation: OperationName) =>
  upstream.seen.filter(
    ({ method, url }) =>
      method === operations[operation].method &&
      url.split("?", 1)[0]?.endsWith(operationPath(operation, ids)),
  ).length;

const passed = chatApiErrorCodes.filter((code) => errorRules[code].relay === "pass");
const hidden = chatApiErrorCodes.filter((code) => errorRules[code].relay === "hide");
const breaches = chatApiErrorCodes.filter((code) => errorRules[code].relay === "breach");

test("every code is one of the three kinds", () => {
  expect(passed.length + hidden.length + breaches.length).toBe(38);
  expect(hidden.toSorted()).toEqual([
    "channel_disabled",
    "invalid_api_key",
    "not_found",
    "origin_not_allowed",
    "workspace_suspended",
  ]);
});

test.each(passed)("%s passes with its status and field, in our words and with our ID", async (code) => {
  await withBff(async (browser, t) => {
    const operation = operationOf(code);
    refuseWith(code, operation, { field: "/text" });
    const response = await call(browser, operation);
    expect(response.status).toBe(errorRules[code].status);
    const { error } = await response.json();
    expect(error).toMatchObject({ code, message: sentenceOf(code), field: "/text" });
    expect(error.requestId).toMatch(/^req_/);
    expect(response.headers.get("x-request-id")).toBe(error.requestId);
    if (response.status === 429 || response.status === 503)
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    // Whatever passes is about one request: the shop is served, so readiness stays green.
    expect(t.lines.filter(({ event }) => event === "contract_breach")).toEqual([]);
  });
});

test.each(passed.filter((code) => errorRules[code].retry === "never"))(
  "%s is not asked for again",
  async (code) => {
    await withBff(async (browser) => {
      const operation = operationOf(code);
      refuseWith(code, operation);
      await call(browser, operation);
      expect(askedFor(operation)).toBe(1);
    });
  },
);

const repeated = passed.filter(
  (code) => errorRules[code].retry === "after_delay" && code !== "file_not_ready",
);
test.each(repeated)(
  "%s is asked for again with the same key, after longer and longer waits, then passed on",
  async (code) => {
    await withBff(async (browser, _, waits) => {
      const operation = operationOf(code);
      refuseWith(code, operation);
      const response = await call(browser, operation);
      expect((await response.json()).error.code).toBe(code);
      expect(askedFor(operation)).toBe(4);
      const keys = upstream.seen.flatMap(({ headers }) => headers["idempotency-key"] ?? []);
      expect(new Set(keys).size).toBeLessThanOrEqual(1);
      const backOffs = waits.filter((wait) => wait > 0).slice(0, 3);
      expect(backOffs.every((wait) => wait <= 2_700)).toBe(true);
    });
  },
);

test("file_not_ready of a message is asked for twice again, of an upload three times", async () => {
  await withBff(async (browser) => {
    refuseWith("file_not_ready", "sendMessage");
    await call(browser, "sendMessage");
    expect(askedFor("sendMessage")).toBe(3);
    refuseWith("file_not_ready", "uploadFile");
    await call(browser, "uploadFile");
    expect(askedFor("uploadFile")).toBe(4);
  });
});

test("a Retry-After of up to five seconds is waited for, a longer one is passed on at once with a little more", async () => {
  await withBff(async (browser, _, waits) => {
    refuseWith("service_unavailable", "sendMessage", { retryAfterSeconds: 4 });
    await call(browser, "sendMessage");
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(4_000);
    refuseWith("service_unavailable", "handoff", { retryAfterSeconds: 100 }, { "retry-after": "90" });
    const response = await call(browser, "handoff");
    expect(askedFor("handoff")).toBe(1);
    const told = Number(response.headers.get("retry-after"));
    expect(told).toBeGreaterThanOrEqual(100);
    expect(told).toBeLessThanOrEqual(120);
    expect((await response.json()).error.retryAfterSeconds).toBe(told);
  });
});

test("rate_limited of one call stops all calls until its time has come", async () => {
  await withBff(async (browser) => {
    await browser.get("/api/chats/chat_0001");
    refuseWith("rate_limited", "listMessages", { retryAfterSeconds: 30 });
    expect((await call(browser, "listMessages")).status).toBe(429);
    upstream.seen.length = 0;
    const other = await call(browser, "getCollection");
    expect((await other.json()).error.code).toBe("rate_limited");
    expect(Number(other.headers.get("retry-after"))).toBeGreaterThanOrEqual(29);
    expect(upstream.seen).toEqual([]);
  });
});

test("turn_in_progress says when to come back, though the Chat API does not", async () => {
  await withBff(async (browser) => {
    refuseWith("turn_in_progress", "sendMessage");
    const response = await call(browser, "sendMessage");
    expect((await response.json()).error.retryAfterSeconds).toBe(2);
  });
});

test("chat_limit_reached tells the operator, once", async () => {
  await withBff(async (browser, t) => {
    refuseWith("chat_limit_reached", "createChat");
    await call(browser, "createChat");
    await call(browser, "createChat");
    const told = t.lines.filter(({ event }) => event === "operator_fault");
    expect(told).toMatchObject([
      { level: "error", code: "chat_limit_reached", msg: expect.stringContaining("plan") },
    ]);
  });
});

test.each(hidden)(
  "%s is the operator's: neutral for the customer, red for readiness, one line with the remedy",
  async (code) => {
    await withBff(async (browser, t) => {
      refuseWith(code, "listMessages");
      for (let count = 0; count < 3; count += 1) {
        const response = await call(browser, "listMessages");
        expect(response.status).toBe(503);
        expect(response.headers.get("retry-after")).toBe("60");
        const text = await response.text();
        expect(text).not.toContain(code);
        expect(JSON.parse(text).error).toMatchObject({ code: "chat_unavailable", retryAfterSeconds: 60 });
      }
      const told = t.lines.filter(({ event }) => event === "operator_fault");
      expect(told).toMatchObject([{ level: "error", code, msg: expect.stringMatching(/\w+ .*\./) }]);

      upstream.on("*", (_, answer) => json(answer, errorRules[code].status, errorBody(code)));
      const ready = await browser.get("/api/health/ready");
      expect(ready.status).toBe(503);
      expect(await ready.text()).not.toContain(code);
    });
  },
);

test("a wrong key is not tried again by every customer", async () => {
  await withBff(async (browser) => {
    refuseWith("invalid_api_key", "listMessages");
    for (let count = 0; count < 20; count += 1) await call(browser, "listMessages");
    expect(askedFor("listMessages")).toBe(1);
  });
});

test.each(breaches)(
  "%s cannot follow our own checks: a breach in the log, internal_error outside, no repetition",
  async (code) => {
    await withBff(async (browser, t) => {
      const operation = operationOf(code);
      refuseWith(code, operation);
      const response = await call(browser, operation);
      expect(response.status).toBe(500);
      expect((await response.json()).error).toMatchObject({
        code: "internal_error",
        message: sentenceOf("internal_error"),
      });
      expect(askedFor(operation)).toBe(1);
      const told = t.lines.filter(({ event }) => event === "contract_breach");
      expect(told).toMatchObject([{ level: "error", refusal: code, upstreamRequestId: "up_1" }]);
    });
  },
);

test("chat_not_found is one of a kind: also the answer for chats of others", async () => {
  await withBff(async (browser) => {
    ownChat(upstream, userIdOfCustomer("lukas-brandt"), "chat_0002");
    const foreign = await (await browser.get("/api/chats/chat_0002")).json();
    const unknown = await (await browser.get("/api/chats/chat_0003")).json();
    expect(foreign.error).toEqual({ ...unknown.error, requestId: foreign.error.requestId });
  });
});

test("a code that the specification does not have is treated by its status", async () => {
  await withBff(async (browser) => {
    for (const [status, code] of [
      [418, "invalid_request"],
      [429, "rate_limited"],
    ] as const) {
      upstream.on("GET /chats/chat_0001/messages", (_, answer) =>
        json(answer, status, errorBody("brand_new_code")),
      );
      expect((await (await call(browser, "listMessages")).json()).error.code).toBe(code);
    }
  });
});
