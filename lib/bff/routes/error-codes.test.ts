/** How the BFF handles each error code: the response, the calls to the Chat API, the operator's log. */
import { expect, test } from "vitest";
import { type ChatApiErrorCode, chatApiErrorCodes, responseOf } from "../../chat-api/errors.ts";
import { operationContracts } from "../../chat-api/operation-contracts.ts";
import { type OperationName, operationNames, operationPath, operations } from "../../chat-api/operations.ts";
import { userIdOfCustomer } from "../session/customer.ts";
import { callOperation, hostilePeer, ownBff, ownerOfChat, signedIn } from "../testing/hostile-set-up.ts";
import { aChat, emptyPage, errorBody } from "../testing/hostile-upstream.ts";

const { upstream, environment } = await hostilePeer();

/** A new BFF for each code, because an open circuit breaker would affect the next. */
async function freshBff() {
  const waits: number[] = [];
  const t = ownBff(environment, {
    sleep: async (milliseconds) => void waits.push(milliseconds),
  });
  return { t, waits, browser: await ownerOfChat(t, upstream) };
}

const ids = { chatId: "chat_0001", fileId: "file_0001" };
/** An operation that can return this code. */
const operationOf = (code: ChatApiErrorCode): OperationName =>
  operationNames.find((name) => operationContracts[name].errors.some((error) => error === code)) ??
  "listMessages";

function refuseWith(code: ChatApiErrorCode, operation: OperationName, more: object = {}, headers = {}) {
  const { method } = operations[operation];
  upstream.respond(
    `${method} ${operationPath(operation, ids)}`,
    responseOf(code).status,
    errorBody(code, more),
    headers,
  );
}

const askedFor = (operation: OperationName) =>
  upstream.seen.filter(
    ({ method, url }) =>
      method === operations[operation].method &&
      url.split("?", 1)[0]?.endsWith(operationPath(operation, ids)),
  ).length;

const passed = chatApiErrorCodes.filter((code) => responseOf(code).relay === "pass");
const hidden = chatApiErrorCodes.filter((code) => responseOf(code).relay === "hide");
const breaches = chatApiErrorCodes.filter((code) => responseOf(code).relay === "breach");

test("assigns each of the 38 codes to one of three kinds", () => {
  expect(passed.length + hidden.length + breaches.length).toBe(38);
  expect(hidden.toSorted()).toEqual([
    "channel_disabled",
    "invalid_api_key",
    "not_found",
    "origin_not_allowed",
    "workspace_suspended",
  ]);
  expect(breaches.toSorted()).toEqual([
    "invalid_id",
    "invalid_json",
    "method_not_allowed",
    "unsupported_accept",
    "unsupported_media_type",
    "unsupported_resume",
  ]);
});

test.each(passed)("forwards %s with its status and field, our sentence and our request ID", async (code) => {
  const { browser, t } = await freshBff();
  const operation = operationOf(code);
  refuseWith(code, operation, { field: "/text" });
  const response = await callOperation(browser, operation);
  expect(response.status).toBe(responseOf(code).status);
  const { error } = await response.json();
  expect(error).toMatchObject({ code, message: responseOf(code).sentence, field: "/text" });
  expect(error.requestId).toMatch(/^req_/);
  expect(response.headers.get("x-request-id")).toBe(error.requestId);
  if (response.status === 429 || response.status === 503)
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  // A forwarded error is no breach of the contract.
  expect(t.lines.filter(({ event }) => event === "contract_breach")).toEqual([]);
});

test("waits for a Retry-After of up to 5 s and forwards a longer one with jitter", async () => {
  const { browser, waits } = await freshBff();
  refuseWith("service_unavailable", "sendMessage", { retryAfterSeconds: 4 });
  await callOperation(browser, "sendMessage");
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(4_000);
  refuseWith("service_unavailable", "handoff", { retryAfterSeconds: 100 }, { "retry-after": "90" });
  const response = await callOperation(browser, "handoff");
  expect(askedFor("handoff")).toBe(1);
  const seconds = Number(response.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(100);
  expect(seconds).toBeLessThanOrEqual(120);
  expect((await response.json()).error.retryAfterSeconds).toBe(seconds);
});

test.each(["capacity_limited", "chat_limit_reached"] as const)(
  "asks a customer to wait about an hour at most, whatever the Chat API says: %s",
  async (code) => {
    const { browser } = await freshBff();
    refuseWith(code, "sendMessage", { retryAfterSeconds: 1e300 });
    const response = await callOperation(browser, "sendMessage");
    const seconds = Number(response.headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(3_600);
    expect(seconds).toBeLessThanOrEqual(4_320);
    expect((await response.json()).error.retryAfterSeconds).toBe(seconds);
  },
);

test("refuses one customer's own limit to that customer alone", async () => {
  const { browser, t } = await freshBff();
  const item = aChat(userIdOfCustomer("lukas-brandt"), { id: "chat_0002" });
  upstream.respond("GET /chats/chat_0002", 200, { item });
  upstream.respond("GET /chats/chat_0002/messages", 200, emptyPage);
  const other = await signedIn(t, "lukas-brandt");
  refuseWith("rate_limited", "listMessages", { retryAfterSeconds: 30 });
  expect((await callOperation(browser, "listMessages")).status).toBe(429);
  expect((await callOperation(other, "listMessages", "chat_0002")).status).toBe(200);
});

test("adds Retry-After to turn_in_progress", async () => {
  const { browser } = await freshBff();
  refuseWith("turn_in_progress", "sendMessage");
  const response = await callOperation(browser, "sendMessage");
  expect((await response.json()).error.retryAfterSeconds).toBe(2);
});

test("reports chat_limit_reached to the operator once", async () => {
  const { browser, t } = await freshBff();
  refuseWith("chat_limit_reached", "createChat");
  await callOperation(browser, "createChat");
  await callOperation(browser, "createChat");
  const lines = t.lines.filter(({ event }) => event === "operator_error");
  expect(lines).toMatchObject([
    { level: "error", code: "chat_limit_reached", msg: expect.stringContaining("plan") },
  ]);
});

test.each(hidden)("reports %s to the operator with a remedy and answers chat_unavailable", async (code) => {
  const { browser, t } = await freshBff();
  refuseWith(code, "listMessages");
  for (let count = 0; count < 3; count += 1) {
    const response = await callOperation(browser, "listMessages");
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("60");
    const text = await response.text();
    expect(text).not.toContain(code);
    expect(JSON.parse(text).error).toMatchObject({ code: "chat_unavailable", retryAfterSeconds: 60 });
  }
  const lines = t.lines.filter(({ event }) => event === "operator_error");
  expect(lines).toMatchObject([{ level: "error", code, msg: expect.stringMatching(/\w+ .*\./) }]);

  upstream.respond("*", responseOf(code).status, errorBody(code));
  const ready = await browser.get("/api/chat/health/ready");
  expect(ready.status).toBe(503);
  expect(await ready.text()).not.toContain(code);
});

test("stops calling the Chat API after it has rejected the key", async () => {
  const { browser } = await freshBff();
  refuseWith("invalid_api_key", "listMessages");
  for (let count = 0; count < 20; count += 1) await callOperation(browser, "listMessages");
  expect(askedFor("listMessages")).toBe(1);
});

test.each(breaches)(
  "logs %s as a contract breach and answers internal_error without a retry",
  async (code) => {
    const { browser, t } = await freshBff();
    const operation = operationOf(code);
    refuseWith(code, operation);
    const response = await callOperation(browser, operation);
    expect(response.status).toBe(500);
    expect((await response.json()).error).toMatchObject({
      code: "internal_error",
      message: responseOf("internal_error").sentence,
    });
    expect(askedFor(operation)).toBe(1);
    const lines = t.lines.filter(({ event }) => event === "contract_breach");
    expect(lines).toMatchObject([{ level: "error", refusal: code, upstreamRequestId: "up_1" }]);
  },
);
