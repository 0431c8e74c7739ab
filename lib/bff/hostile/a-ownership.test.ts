/** Hostile cases A, 9 to 12 and 30 to 32: whose chat, which ID, whose key. */
import { expect, test } from "vitest";
import type { OperationName } from "#lib/chat-api/operations.ts";
import { operationNames, operationPath, operations } from "#lib/chat-api/operations.ts";
import { userIdOfCustomer } from "../identity.ts";
import { hostilePeer, maya, sharedBff, signedIn } from "../testing/hostile-set-up.ts";
import { aChat, aMessage, errorBody, json, ownChat } from "../testing/hostile-upstream.ts";
import { startTestBff, type TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);

const lukas = userIdOfCustomer("lukas-brandt");
let chats = 0;
/** A chat ID that no cache knows. */
const freshChatId = () => `chat_own_${++chats}`;

const bodies: Partial<Record<OperationName, object>> = {
  sendMessage: { text: "hello" },
  submitCollection: { collectionRequestId: null, expectedVersion: 0, action: "save" },
  handoff: { confirmationId: "confirm_1" },
};
const onAChat = operationNames.filter((operation) => operation !== "createChat");

function call(browser: TestBrowser, operation: OperationName, chatId: string): Promise<Response> {
  const path = `/api${operationPath(operation, { chatId, fileId: "file_0001" })}`;
  if (operations[operation].method === "GET") return browser.get(path);
  if (operations[operation].body !== "multipart") return browser.post(path, bodies[operation] ?? {});
  const form = new FormData();
  form.append("file", new Blob(["text"], { type: "text/plain" }), "a.txt");
  return browser.send(path, { method: "POST", body: form, headers: { "idempotency-key": "key-12345" } });
}

test("#9 a foreign chat answers on every operation exactly as an unknown one, and nothing is changed", async () => {
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
        const response = await call(browser, operation, chatId);
        if (browser === owner) {
          // Passes the check: whatever the upstream says then, it was asked.
          expect(upstream.seen.length, operation).toBeGreaterThan(0);
          continue;
        }
        const unknown = await call(other, operation, freshChatId());
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

test("#9 two sessions that read by turns never see the other's chat", async () => {
  const [a, b] = [freshChatId(), freshChatId()];
  ownChat(upstream, maya, a);
  ownChat(upstream, lukas, b);
  const [one, two] = [await signedIn(t, "maya-okafor"), await signedIn(t, "lukas-brandt")];
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, turn) => {
      const [browser, chatId] = [turn % 2 ? one : two, turn % 4 < 2 ? a : b];
      const response = await browser.get(`/api/chats/${chatId}`);
      const right = (browser === one) === (chatId === a);
      if (right) expect((await response.json()).item.id).toBe(chatId);
      return response.status === (right ? 200 : 404);
    }),
  );
  expect(statuses).not.toContain(false);
});

test("#11 a chat that was deleted after its owner was known is gone, and its owner is asked for again", async () => {
  const chatId = freshChatId();
  ownChat(upstream, maya, chatId);
  const browser = await signedIn(t, "maya-okafor");
  expect((await browser.get(`/api/chats/${chatId}`)).status).toBe(200);
  upstream.on(`GET /chats/${chatId}`, (_, answer) => json(answer, 404, errorBody("chat_not_found")));
  expect((await browser.get(`/api/chats/${chatId}`)).status).toBe(404);
  ownChat(upstream, lukas, chatId);
  expect((await browser.get(`/api/chats/${chatId}`)).status).toBe(404);
});

test("the owner of a chat is read once, also by calls that come together", async () => {
  const chatId = freshChatId();
  ownChat(upstream, maya, chatId);
  upstream.on(`GET /chats/${chatId}/messages`, (_, answer) =>
    json(answer, 200, { items: [], nextCursor: null }),
  );
  const browser = await signedIn(t, "maya-okafor");
  const responses = await Promise.all([1, 2, 3, 4].map(() => browser.get(`/api/chats/${chatId}/messages`)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(upstream.seen.filter(({ url }) => url.endsWith(chatId))).toHaveLength(1);
});

test("#12 IDs that are paths, queries, control characters or of the wrong length reach nothing", async () => {
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
      `/api/chats/${id}`,
      `/api/chats/${id}/messages`,
      `/api/chats/chat_0001/files/${id}`,
    ]) {
      const response = await browser.get(path);
      expect(response.status, path).toBe(400);
      expect((await response.json()).error.code).toBe("invalid_id");
    }
  }
  expect(upstream.seen).toEqual([]);
});

test("#30 two sessions that choose the same key create under two", async () => {
  upstream.on("POST /chats", ({ body }, answer) =>
    json(answer, 201, { item: aChat(JSON.parse(body).userId) }),
  );
  const [one, two] = [t.browser(), t.browser()];
  await one.start();
  await two.start();
  for (const browser of [one, two])
    await browser.post("/api/chats", {}, { "idempotency-key": "the-same-key" });
  const keys = upstream.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test("#31 one session and one key, for two operations and in two chats, is four keys; repeated it is the same", async () => {
  const [a, b] = [freshChatId(), freshChatId()];
  ownChat(upstream, maya, a);
  ownChat(upstream, maya, b);
  const browser = await signedIn(t, "maya-okafor");
  const keysOfOneRound = async () => {
    upstream.seen.length = 0;
    for (const path of [
      "/api/chats",
      `/api/chats/${a}/messages`,
      `/api/chats/${b}/messages`,
      `/api/chats/${a}/handoff`,
    ]) {
      await browser.post(
        path,
        path.endsWith("handoff") ? bodies.handoff : path === "/api/chats" ? {} : bodies.sendMessage,
        {
          "idempotency-key": "the-same-key",
        },
      );
    }
    return upstream.seen.flatMap(({ headers }) => headers["idempotency-key"] ?? []);
  };
  const first = await keysOfOneRound();
  expect(new Set(first).size).toBe(4);
  expect(await keysOfOneRound()).toEqual(first);
});

test("the upstream key does not change when the BFF is restarted with another secret", async () => {
  const again = startTestBff({ ...environment, SESSION_SECRET: "another secret of thirty-two chars" });
  upstream.on("POST /chats", (_, answer) => json(answer, 201, { item: aChat(maya) }));
  for (const bff of [t, again]) {
    const browser = bff.browser();
    await browser.start("maya-okafor");
    await browser.post("/api/chats", {}, { "idempotency-key": "over-restarts" });
  }
  const keys = upstream.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[0]).toBe(keys[1]);
  await again.stop();
});

test("#139 key and body of an operation are the same upstream in every version of the BFF", async () => {
  // Written down, not computed: a change of either would make every message on its way a second one, or a conflict.
  ownChat(upstream, maya, "chat_pinned_1");
  const browser = await signedIn(t, "maya-okafor");
  const key = { "idempotency-key": "pinned-key-1" };
  const sent: [path: string, body: object][] = [
    ["/api/chats", { locale: "de-AT" }],
    ["/api/chats/chat_pinned_1/messages", { fileIds: ["file_0001"], text: "Gr\u00fc\u00dfe \u{1f600}" }],
    ["/api/chats/chat_pinned_1/handoff", { email: "a@example.com", confirmationId: "confirm_1" }],
    [
      "/api/chats/chat_pinned_1/collection",
      { values: { b: "2", a: "1" }, action: "save", expectedVersion: 3, collectionRequestId: null },
    ],
  ];
  for (const [path, body] of sent) await browser.post(path, body, key);
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

test("#32 keys that are missing, too short, too long, doubled or of other letters are refused before the Chat API", async () => {
  const browser = await signedIn(t, "maya-okafor");
  for (const key of ["", "1234567", "x".repeat(129), "k\u00e9y-12345", "key-12345, key-67890", "key 12345"]) {
    const response = await browser.post("/api/chats", {}, { "idempotency-key": key });
    expect(response.status, key).toBe(400);
    expect((await response.json()).error).toMatchObject({
      code: "invalid_request",
      field: "/Idempotency-Key",
    });
  }
  expect(upstream.seen).toEqual([]);
});

test("what the browser says about whose chat it is is refused", async () => {
  const browser = await signedIn(t, "maya-okafor");
  const response = await browser.post("/api/chats", { userId: lukas });
  expect((await response.json()).error).toMatchObject({ code: "invalid_request", field: "/userId" });
  expect(upstream.seen).toEqual([]);
});

test("an answer about another chat or another customer never reaches the browser", async () => {
  const chatId = freshChatId();
  ownChat(upstream, maya, chatId);
  const browser = await signedIn(t, "maya-okafor");
  upstream.on("POST /chats", (_, answer) => json(answer, 201, { item: aChat(lukas) }));
  upstream.on(`GET /chats/${chatId}/messages`, (_, answer) =>
    json(answer, 200, { items: [aMessage({ chatId: "chat_foreign", text: "not yours" })], nextCursor: null }),
  );
  for (const response of [
    await browser.post("/api/chats", {}),
    await browser.get(`/api/chats/${chatId}/messages`),
  ]) {
    expect(response.status).toBe(502);
    expect(await response.text()).not.toMatch(/not yours|lukas/);
  }
  expect(t.lines.filter(({ event }) => event === "contract_breach")).toHaveLength(2);
});
