/**
 * The specification leaves the order of checks open. Ours is: path and method, origin, key, channel, IDs,
 * rate limit, type and size, Accept, content, chat, idempotency key, state.
 */
import { randomUUID } from "node:crypto";
import type { Call } from "./support/api.ts";
import { textFile } from "./support/samples.ts";
import { choice, expectError, lab, test } from "./support/test.ts";

const wrongKey = "Bearer ck_wrong_wrong_wrong";
const json = { "Content-Type": "application/json" };
const unknownChat = "unknown-chat-id";

/** Each request has two faults. The response reports the first of the pair. */
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
