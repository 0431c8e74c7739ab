import { createHash, randomUUID } from "node:crypto";
import type { Call } from "./support/api.ts";
import { wellFormed } from "./support/requests.ts";
import { textFile } from "./support/samples.ts";
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

const wrongKey = "Bearer ck_wrong_wrong_wrong";
const json = { "Content-Type": "application/json" };
const unknownChat = "unknown-chat-id";

/**
 * The specification leaves the order of checks open. Ours is: path and method, origin, key, channel, IDs,
 * rate limit, type and size, Accept, content, chat, idempotency key, state. Each request has two faults, and
 * the response reports the first of the pair.
 */
const pairs: [said: Parameters<typeof expectError>[1], before: string, call: Call][] = [
  [
    "origin_not_allowed",
    "a wrong key",
    { headers: { Origin: "https://a.example" }, authorization: wrongKey },
  ],
  ["invalid_api_key", "a malformed ID", { chatId: "short", authorization: wrongKey }],
  ["invalid_api_key", "a malformed channel key", { channelKey: "dep_short", authorization: wrongKey }],
  ["invalid_id", "a wrong type", { chatId: "short", body: "x", headers: { "Content-Type": "text/plain" } }],
  ["unsupported_media_type", "a wrong Accept", { body: "x", headers: { Accept: "text/html" } }],
  [
    "payload_too_large",
    "a wrong Accept",
    { body: " ".repeat(40_000), headers: { ...json, Accept: "text/html" } },
  ],
  ["unsupported_accept", "no key", { key: null, body: "[]", headers: { ...json, Accept: "text/html" } }],
  ["unsupported_resume", "broken JSON", { body: "{", headers: { ...json, "Last-Event-ID": "1" } }],
  ["invalid_json", "an unknown chat", { chatId: unknownChat, body: "[]", headers: json }],
  ["invalid_request", "an unknown chat", { chatId: unknownChat, json: {} }],
  ["chat_not_found", "an unknown file", { chatId: unknownChat, json: { fileIds: ["unknown-file-id"] } }],
];

for (const [said, before, call] of pairs) {
  test(
    `reports ${said} before ${before}`,
    [choice, "errors.shape"],
    async ({ api, sharedChatId: chatId }) => {
      expectError(await api.call("sendMessage", { chatId, ...call }), said);
    },
  );
}

test(
  "reports the path and the method before the Origin and the key",
  [choice, "errors.shape"],
  async ({ api, target }) => {
    const headers = { Origin: "https://a.example", Authorization: wrongKey };
    const channel = `/v1/channels/${target.channelKey}`;
    expectError(await api.request("GET", `${channel}/nope`, { headers }), "not_found");
    expectError(await api.request("DELETE", `${channel}/chats`, { headers }), "method_not_allowed");
  },
);

test(
  "reports a key conflict before the chat's state and unknown files",
  [lab, "errors.shape"],
  async ({ api, lab, chatId }) => {
    const key = randomUUID();
    await api.sendMessage(chatId, { text: "First" }, { key });
    await lab.resolve(chatId);
    for (const body of [{ text: "Other" }, { fileIds: ["unknown-file-id"] }]) {
      expectError(await api.call("sendMessage", { chatId, json: body, key }), "idempotency_conflict");
    }
  },
);

test(
  "reports a closed chat before unknown files, stale versions and offers",
  [lab, "errors.shape"],
  async ({ api, lab, chatId }) => {
    await lab.resolve(chatId);
    for (const response of [
      await api.call("sendMessage", { chatId, json: { fileIds: ["unknown-file-id"] } }),
      await api.upload(chatId, textFile("late")),
      await api.call("handoff", { chatId, json: { confirmationId: "never-offered" } }),
      await api.call("submitCollection", {
        chatId,
        json: { collectionRequestId: null, expectedVersion: 99, action: "save" },
      }),
    ]) {
      expectError(response, "chat_closed");
    }
  },
);

test(
  "reports the rate limit before an invalid body",
  [lab, "errors.shape"],
  async ({ api, lab, freshChat }) => {
    await lab.changeLimits({ requestsPerMinute: 1 });
    await api.call("getChat", { chatId: freshChat.id });
    expectError(await api.call("sendMessage", { chatId: freshChat.id, json: {} }), "rate_limited");
  },
);
