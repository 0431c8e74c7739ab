import { createHash } from "node:crypto";
import { wellFormed } from "./support/requests.ts";
import { operationNames } from "./support/specification.ts";
import { choice, expect, expectError, lab, test } from "./support/test.ts";

// support/api.ts checks each response of every test. These tests compare several responses.

test(
  "gives every response a unique request ID, errors included",
  ["general.request-id"],
  async ({ api, sharedChatId: chatId }) => {
    const ids: (string | undefined)[] = [];
    for (const operation of operationNames) {
      // Sent without a key and refused, so that `createChat` creates no chat.
      const response = await api.call(operation, { ...wellFormed(operation), chatId, authorization: null });
      ids.push(response.headers["x-request-id"]);
    }
    for (let n = 0; n < 3; n += 1) {
      ids.push((await api.call("getChat", { chatId })).headers["x-request-id"]);
    }
    expect(new Set(ids).size).toBe(ids.length);
  },
);

test(
  "ignores a request ID from the caller",
  [choice, "general.request-id"],
  async ({ api, sharedChatId: chatId }) => {
    const headers = { "X-Request-Id": "made-up-by-the-caller" };
    const response = await api.call("getChat", { chatId, headers });
    expect(response.headers["x-request-id"]).not.toBe("made-up-by-the-caller");
  },
);

test(
  "counts down the remaining requests in the rate-limit headers",
  [lab, "general.rate-limit"],
  async ({ api, lab, freshChat }) => {
    await lab.changeLimits({ requestsPerMinute: 100 });
    const numbers = async () => {
      const { headers } = await api.call("getChat", { chatId: freshChat.id });
      return ["limit", "remaining", "reset"].map((name) => Number(headers[`ratelimit-${name}`]));
    };
    const [limit, remaining = 0, reset] = await numbers();
    expect(limit).toBe(100);
    expect(remaining).toBeLessThan(100);
    expect(reset).toBeLessThanOrEqual(60);
    const [, later] = await numbers();
    expect(later).toBeLessThan(remaining);
  },
);

test(
  "answers 429 with Retry-After above the rate limit",
  [lab, "general.retry-after", "errors.repeat"],
  async ({ api, lab, freshChat }) => {
    await lab.changeLimits({ requestsPerMinute: 2 });
    const ask = () => api.call("getChat", { chatId: freshChat.id });
    const responses = [await ask(), await ask(), await ask(), await ask()];
    const limited = responses.at(-1);
    if (limited === undefined) throw new Error("no answer");
    expectError(limited, "rate_limited");
    const wait = Number(limited.headers["retry-after"]);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    // "Wait `Retry-After` seconds, then send the same request again."
    await lab.advance(wait);
    expect((await ask()).status).toBe(200);
  },
);

test("changes nothing on reads", ["idempotency.required"], async ({ api, planned }) => {
  const { id: chatId } = await planned("conversation");
  const digest = async () => {
    const parts = [
      await api.getChat(chatId),
      await api.listMessages(chatId, "?limit=50"),
      await api.getCollection(chatId),
    ];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  };
  const before = await digest();
  expect(await digest()).toBe(before);
});

test(
  "marks responses to reads as not cacheable",
  [choice, "general.json"],
  async ({ api, sharedChatId: chatId }) => {
    for (const operation of ["getChat", "listMessages", "getCollection"] as const) {
      const { headers } = await api.call(operation, { chatId });
      expect(headers["cache-control"]).toMatch(/no-store/);
    }
  },
);

test("sends no CORS headers", [choice, "authentication.origin"], async ({ api, sharedChatId: chatId }) => {
  for (const response of [
    await api.call("getChat", { chatId }),
    await api.call("getChat", { chatId, headers: { Origin: "https://shop.example" } }),
  ]) {
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test(
  "does not echo the Host header",
  [choice, "general.request-id"],
  async ({ api, sharedChatId: chatId }) => {
    const response = await api.call("getChat", { chatId, headers: { Host: "evil.example" } });
    expect(`${JSON.stringify(response.headers)}${response.text}`).not.toContain("evil.example");
  },
);

test(
  "uses the channel's clock for the timestamps of messages and chats",
  [lab, "resources.shape", "states.agent"],
  async ({ api, lab, freshChat }) => {
    const { chat } = await api.sendMessage(freshChat.id, { text: "Before" });
    const now = await lab.advance(3_600);
    const later = await api.sendMessage(freshChat.id, { text: "After" });
    expect(Date.parse(later.chat.updatedAt)).toBeGreaterThanOrEqual(now.getTime());
    expect(Date.parse(later.message.createdAt ?? "")).toBeGreaterThanOrEqual(now.getTime());
    expect(Date.parse(chat.updatedAt)).toBeLessThan(now.getTime());
  },
);
