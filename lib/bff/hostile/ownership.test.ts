/** Access to foreign chats, invalid IDs and foreign idempotency keys. */
import { expect, test } from "vitest";
import { operationNames } from "../../chat-api/operations.ts";
import { aFile } from "../../chat-api/testing/builders.ts";
import { defaultTimeouts } from "../../chat-client/options.ts";
import { userIdOfCustomer } from "../session/customer.ts";
import {
  callOperation,
  hostilePeer,
  maya,
  newGuest,
  ownBff,
  sharedBff,
  signedIn,
} from "../testing/hostile-set-up.ts";
import { aChat, aMessage, emptyPage, errorBody, ownChat } from "../testing/hostile-upstream.ts";
import { freshKey } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);

const lukas = userIdOfCustomer("lukas-brandt");
let chats = 0;
/** A chat ID that is in no cache. */
const freshChatId = () => `chat_own_${++chats}`;

const onAChat = operationNames.filter((operation) => operation !== "createChat");

test("answers every operation on a foreign chat as if the chat did not exist", async () => {
  const chatId = freshChatId();
  const [owner, other] = [await signedIn(t, "maya-okafor"), await signedIn(t, "lukas-brandt")];
  ownChat(upstream, maya, chatId);
  for (const order of [
    [other, owner],
    [owner, other],
  ]) {
    for (const browser of order) {
      for (const operation of onAChat) {
        upstream.seen.length = 0;
        const response = await callOperation(browser, operation, chatId);
        if (browser === owner) {
          // The request reached the Chat API, so it passed the ownership check. The response does not matter.
          expect(upstream.seen.length, operation).toBeGreaterThan(0);
          continue;
        }
        const unknown = await callOperation(other, operation, freshChatId());
        expect(response.status, operation).toBe(404);
        const [foreignBody, unknownBody] = [await response.json(), await unknown.json()];
        expect(foreignBody.error).toEqual({ ...unknownBody.error, requestId: foreignBody.error.requestId });
        expect(upstream.seen.filter(({ method }) => method === "POST")).toEqual([]);
        expect(upstream.seen.filter(({ url }) => !/\/chats\/[^/]+$/.test(url))).toEqual([]);
        const names = (headers: Headers) => [...headers.keys()];
        expect(names(response.headers)).toEqual(names(unknown.headers));
      }
    }
  }
});

test("never shows one customer's chat to another when they read at once", async () => {
  const [a, b] = [freshChatId(), freshChatId()];
  ownChat(upstream, maya, a);
  ownChat(upstream, lukas, b);
  const [one, two] = [await signedIn(t, "maya-okafor"), await signedIn(t, "lukas-brandt")];
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, turn) => {
      const [browser, chatId] = [turn % 2 ? one : two, turn % 4 < 2 ? a : b];
      const response = await browser.get(`/api/chat/chats/${chatId}`);
      const right = (browser === one) === (chatId === a);
      if (right) expect((await response.json()).item.id).toBe(chatId);
      return response.status === (right ? 200 : 404);
    }),
  );
  expect(statuses).not.toContain(false);
});

test("answers 404 for a deleted chat with a cached owner, and asks for the owner again", async () => {
  const chatId = freshChatId();
  ownChat(upstream, maya, chatId);
  const browser = await signedIn(t, "maya-okafor");
  expect((await browser.get(`/api/chat/chats/${chatId}`)).status).toBe(200);
  upstream.respond(`GET /chats/${chatId}`, 404, errorBody("chat_not_found"));
  expect((await browser.get(`/api/chat/chats/${chatId}`)).status).toBe(404);
  ownChat(upstream, lukas, chatId);
  expect((await browser.get(`/api/chat/chats/${chatId}`)).status).toBe(404);
});

test("reads a chat's owner once, even for concurrent calls", async () => {
  const chatId = freshChatId();
  ownChat(upstream, maya, chatId);
  upstream.respond(`GET /chats/${chatId}/messages`, 200, emptyPage);
  const browser = await signedIn(t, "maya-okafor");
  const responses = await Promise.all(
    [1, 2, 3, 4].map(() => browser.get(`/api/chat/chats/${chatId}/messages`)),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(upstream.seen.filter(({ url }) => url.endsWith(chatId))).toHaveLength(1);
});

test("waits for the chat's owner during an outage before writes, not before reads", async () => {
  const waits: number[] = [];
  const restarted = ownBff(environment, {
    sleep: async (milliseconds) => void waits.push(milliseconds),
  });
  upstream.on("*", (_, response) => void response.destroy());
  const browser = await signedIn(restarted, "maya-okafor");
  const waited = () => waits.splice(0).reduce((sum, wait) => sum + wait, 0);
  const chatId = freshChatId();
  expect((await callOperation(browser, "getChat", chatId)).status).toBe(502);
  expect(waited()).toBeLessThan(10_000);
  for (const operation of ["sendMessage", "uploadFile", "submitCollection", "handoff"] as const) {
    expect((await callOperation(browser, operation, chatId)).status).toBe(502);
    const time = waited();
    expect(time, operation).toBeGreaterThan(20_000);
    expect(time, operation).toBeLessThan(defaultTimeouts.headers);
  }
});

test("rejects IDs with paths, queries, control characters or a wrong length", async () => {
  const browser = await signedIn(t, "maya-okafor");
  const tricks = [
    "..%2F..%2Fadmin",
    "a%2Fmessages",
    "x%3Flimit%3D1",
    "x%23fragment",
    "chat_000%00",
    "chat_000%0d%0ax",
    "%252e%252e%252f",
    "%ff%fe",
    "1234567",
    "x".repeat(129),
    "chat_0001%0A",
    "%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95%EF%BC%96%EF%BC%97%EF%BC%98",
    "chat.0001",
  ];
  for (const id of tricks) {
    for (const path of [
      `/api/chat/chats/${id}`,
      `/api/chat/chats/${id}/messages`,
      `/api/chat/chats/chat_0001/files/${id}`,
    ]) {
      const response = await browser.get(path);
      expect(response.status, path).toBe(400);
      expect((await response.json()).error.code).toBe("invalid_id");
    }
  }
  expect(upstream.seen).toEqual([]);
});

test("keeps two sessions with the same idempotency key apart", async () => {
  upstream.createsChats();
  const [one, two] = [await newGuest(t), await newGuest(t)];
  for (const browser of [one, two])
    await browser.post("/api/chat/chats", {}, { "idempotency-key": "the-same-key" });
  const keys = upstream.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test("derives one upstream key per operation and chat, the same when repeated", async () => {
  const [a, b] = [freshChatId(), freshChatId()];
  ownChat(upstream, maya, a);
  ownChat(upstream, maya, b);
  const browser = await signedIn(t, "maya-okafor");
  const keysOfOneRound = async () => {
    upstream.seen.length = 0;
    for (const [path, body] of [
      ["/api/chat/chats", {}],
      [`/api/chat/chats/${a}/messages`, { text: "hello" }],
      [`/api/chat/chats/${b}/messages`, { text: "hello" }],
      [`/api/chat/chats/${a}/handoff`, { confirmationId: "confirm_1" }],
    ] as const) {
      await browser.post(path, body, { "idempotency-key": "the-same-key" });
    }
    return upstream.seen.flatMap(({ headers }) => headers["idempotency-key"] ?? []);
  };
  const first = await keysOfOneRound();
  expect(new Set(first).size).toBe(4);
  expect(await keysOfOneRound()).toEqual(first);
});

test("keeps the upstream key and body of an operation in every version of the BFF", async () => {
  // Literal values. If either changed, messages in flight during an update would be duplicated or conflict.
  ownChat(upstream, maya, "chat_pinned_1");
  const browser = await signedIn(t, "maya-okafor");
  const key = { "idempotency-key": "pinned-key-1" };
  const writes: [path: string, body: object][] = [
    ["/api/chat/chats", { locale: "de-AT" }],
    ["/api/chat/chats/chat_pinned_1/messages", { fileIds: ["file_0001"], text: "Gr\u00fc\u00dfe \u{1f600}" }],
    ["/api/chat/chats/chat_pinned_1/handoff", { email: "a@example.com", confirmationId: "confirm_1" }],
    [
      "/api/chat/chats/chat_pinned_1/collection",
      { values: { b: "2", a: "1" }, action: "save", expectedVersion: 3, collectionRequestId: null },
    ],
  ];
  for (const [path, body] of writes) await browser.post(path, body, key);
  const posts = upstream.seen.filter(({ method }) => method === "POST");
  expect(
    posts.map(({ headers, body }) => [
      headers["idempotency-key"],
      JSON.parse(Buffer.from(body, "latin1").toString("utf8")),
    ]),
  ).toEqual([
    ["Dbqljm4feCXefbAm8r4RK5rVh-wF4DKJ1zs4LwbT5Ns", { locale: "de-AT", userId: maya }],
    [
      "5AWgbcfVegTWxgKaT7ZMmZleHwDJGsmY4hf1_Ht5P78",
      { text: "Gr\u00fc\u00dfe \u{1f600}", fileIds: ["file_0001"] },
    ],
    ["4AvP3_qWndm8j4uy9WGZ9mEgYuoc8NCbhUEDDMmgyrM", { confirmationId: "confirm_1", email: "a@example.com" }],
    [
      "H9XEn9cz1GoywRxud_a9Ug858p-dUBak-YbcPbCQo8w",
      { collectionRequestId: null, expectedVersion: 3, action: "save", values: { a: "1", b: "2" } },
    ],
  ]);
});

test("rejects malformed idempotency keys without calling the Chat API", async () => {
  const browser = await signedIn(t, "maya-okafor");
  for (const key of ["", "1234567", "x".repeat(129), "k\u00e9y-12345", "key-12345, key-67890", "key 12345"]) {
    const response = await browser.post("/api/chat/chats", {}, { "idempotency-key": key });
    expect(response.status, key).toBe(400);
    expect((await response.json()).error).toMatchObject({
      code: "invalid_request",
      field: "/Idempotency-Key",
    });
  }
  expect(upstream.seen).toEqual([]);
});

const foreignFile = aFile({ chatId: "chat_foreign", filename: "not yours.txt" });

test("never forwards a response about another chat or customer", async () => {
  const chatId = freshChatId();
  ownChat(upstream, maya, chatId);
  const browser = await signedIn(t, "maya-okafor");
  upstream.respond("POST /chats", 201, { item: aChat(lukas) });
  upstream.respond(`GET /chats/${chatId}/messages`, 200, {
    items: [aMessage({ chatId: "chat_foreign", text: "not yours" })],
    nextCursor: null,
  });
  upstream.respond(`POST /chats/${chatId}/files`, 201, { item: foreignFile });
  upstream.respond(`POST /chats/${chatId}/handoff`, 201, { item: aChat(lukas, { id: "chat_foreign" }) });
  const upload = new FormData();
  upload.append("file", new Blob(["x"], { type: "text/plain" }), "mine.txt");
  const key = { "idempotency-key": freshKey() };
  const responses = [
    await browser.post("/api/chat/chats", {}),
    await browser.get(`/api/chat/chats/${chatId}/messages`),
    await browser.send(`/api/chat/chats/${chatId}/files`, { method: "POST", body: upload, headers: key }),
    await browser.post(`/api/chat/chats/${chatId}/handoff`, { confirmationId: "confirm_1" }),
  ];
  for (const response of responses) expect(await response.text()).not.toMatch(/not yours|lukas/);
  expect(responses.map(({ status }) => status)).toEqual([500, 502, 500, 500]);
  expect(t.lines.filter(({ event }) => event === "contract_breach")).toHaveLength(4);
});
