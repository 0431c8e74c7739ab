import { expect, test } from "vitest";
import { type Collection, SubmitCollectionBody } from "#lib/chat-api/collection.ts";
import { ChatApiError, errorRules } from "#lib/chat-api/errors.ts";
import type { File as ChatFile } from "#lib/chat-api/file.ts";
import { operationNames, operationPath, operations } from "#lib/chat-api/operations.ts";
import { type ChatClient, type ChatClientOptions, createChatClient, type WriteCall } from "./client.ts";
import { contractParser } from "./contract-parser.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { aChat, aMessage, aTurn, chatId, idempotencyKey } from "./testing/builders.ts";
import {
  bodyOf,
  bytesOf,
  countedSignal,
  errorResponse,
  jsonResponse,
  scriptedFetch,
  testOptions,
} from "./testing/streams.ts";

const fileId = "file_0001";
const key: WriteCall = { idempotencyKey };
const aFile: ChatFile = {
  id: fileId,
  chatId,
  filename: "helmet.png",
  mediaType: "image/png",
  byteSize: 3,
  createdAt: "2026-03-02T09:30:00.000Z",
  expiresAt: null,
};
const aCollection: Collection = {
  version: 3,
  fields: [],
  values: [],
  request: null,
  missing: [],
  pendingAction: null,
  error: null,
};
const png = new Blob([Uint8Array.of(1, 2, 3)]);
const upload = { bytes: png, filename: "helmet.png", mediaType: "image/png" };
const submission = { collectionRequestId: null, expectedVersion: 3, action: "save" } as const;

function open(answers: Parameters<typeof scriptedFetch>[0], overrides: Partial<ChatClientOptions> = {}) {
  const { fetch, sent } = scriptedFetch(answers);
  const { options, waits, clock } = testOptions({ fetch, ...overrides });
  options.url = (operation, ids) =>
    `https://chat.test/v1/channels/dep_demo_shop${operationPath(operation, ids)}`;
  return { client: createChatClient(options), sent, waits, clock };
}

/** Each JSON operation: how it is called, what a peer answers, what it resolves to. */
const calls: Record<
  Exclude<keyof typeof operations, "downloadFile">,
  { call: (client: ChatClient) => Promise<unknown>; item: unknown; body?: string; path: string }
> = {
  createChat: {
    call: (client) => client.createChat({ userId: "customer-1", locale: "de" }, key),
    item: aChat(),
    body: '{"userId":"customer-1","locale":"de"}',
    path: "/chats",
  },
  getChat: { call: (client) => client.getChat(chatId), item: aChat(), path: `/chats/${chatId}` },
  sendMessage: {
    call: (client) => client.sendMessage(chatId, { text: "Hi" }, key),
    item: aTurn("Hello"),
    body: '{"text":"Hi"}',
    path: `/chats/${chatId}/messages`,
  },
  listMessages: {
    call: (client) => client.listMessages(chatId, { limit: 2, cursor: "abc_-1" }),
    item: undefined,
    path: `/chats/${chatId}/messages?limit=2&cursor=abc_-1`,
  },
  uploadFile: {
    call: (client) => client.uploadFile(chatId, upload, key),
    item: aFile,
    path: `/chats/${chatId}/files`,
  },
  getCollection: {
    call: (client) => client.getCollection(chatId),
    item: aCollection,
    path: `/chats/${chatId}/collection`,
  },
  submitCollection: {
    call: (client) => client.submitCollection(chatId, submission, key),
    item: aCollection,
    body: '{"collectionRequestId":null,"expectedVersion":3,"action":"save"}',
    path: `/chats/${chatId}/collection`,
  },
  handoff: {
    call: (client) => client.handoff(chatId, { confirmationId: "confirm_1", email: "a@b.example" }, key),
    item: aChat({ mode: "waiting" }),
    body: '{"confirmationId":"confirm_1","email":"a@b.example"}',
    path: `/chats/${chatId}/handoff`,
  },
};
const page = { items: [aMessage()], nextCursor: "next" };
const jsonOperations = operationNames.filter((operation) => operation !== "downloadFile");

for (const parse of [undefined, contractParser]) {
  test.each(jsonOperations)(
    `%s sends what the contract says and gives what it reads (${parse === undefined ? "browser" : "server"})`,
    async (operation) => {
      const { call, item, body, path } = calls[operation];
      const { method, status, writes } = operations[operation];
      const answer = operation === "listMessages" ? page : { item };
      const { client, sent } = open(
        [() => jsonResponse(answer, { status }), () => jsonResponse(answer, { status: 200 })],
        { parse },
      );
      const first = await call(client);
      const second = await call(client);
      if (operation === "listMessages") expect(first).toEqual(page);
      else if (!writes) expect(first).toEqual(item);
      else {
        expect(first).toEqual({ item, replayed: false });
        expect(second).toEqual({ item, replayed: operation !== "submitCollection" });
      }
      const request = sent[0];
      expect(request?.address).toBe(`https://chat.test/v1/channels/dep_demo_shop${path}`);
      expect(request?.init).toMatchObject({ method, redirect: "manual", cache: "no-store" });
      if (body !== undefined) expect(request?.init.body).toBe(body);
      expect(Object.fromEntries(request?.headers ?? [])).toEqual({
        accept: "application/json",
        authorization: "Bearer ck_test",
        ...(operations[operation].body === "json" ? { "content-type": "application/json" } : {}),
        ...(writes ? { "idempotency-key": idempotencyKey } : {}),
      });
    },
  );

  test.each(jsonOperations)(
    `%s refuses answers of another shape (${parse === undefined ? "browser" : "server"})`,
    async (operation) => {
      const wrong = [
        {},
        [],
        null,
        "secret",
        { item: "secret" },
        { item: ["secret"] },
        { item: null },
        { items: "secret", nextCursor: null },
        { items: [], nextCursor: 7 },
      ];
      for (const body of wrong) {
        const { client, sent } = open([() => jsonResponse(body)], { parse });
        const error: unknown = await calls[operation].call(client).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ContractError);
        expect(error).toMatchObject({ fault: "shape", operation, requestId: "req_1" });
        expect(String(error)).not.toMatch(/secret|ck_test|key-0000/);
        expect(sent).toHaveLength(1);
      }
    },
  );
}

test("a turn without its parts is refused in the browser too", async () => {
  const turn = aTurn("Hello");
  for (const item of [
    { ...turn, message: null },
    { ...turn, chat: 7 },
    { ...turn, reply: "x" },
  ]) {
    const { client } = open([() => jsonResponse({ item })]);
    await expect(client.sendMessage(chatId, { text: "Hi" }, key)).rejects.toMatchObject({ fault: "shape" });
  }
});

test("a server checks every field and drops unknown ones", async () => {
  const { client } = open(
    [
      () => jsonResponse({ item: { ...aChat(), invented: true } }),
      () => jsonResponse({ item: { ...aChat(), userId: 7 } }),
    ],
    { parse: contractParser },
  );
  expect(await client.getChat(chatId)).toEqual(aChat());
  await expect(client.getChat(chatId)).rejects.toThrow("/item/userId (invalid_type)");
});

test("answers keyed __proto__ and constructor arrive as they are", async () => {
  const { client, sent } = open([() => jsonResponse({ item: aCollection })]);
  const values = new Map([
    ["__proto__", "a"],
    ["constructor", "b"],
    ["size", "c"],
  ]);
  await client.submitCollection(chatId, { ...submission, values, fieldIds: ["colour"] }, key);
  const body = String(sent[0]?.init.body);
  expect(body).toContain('"values":{"__proto__":"a","constructor":"b","size":"c"}');
  expect(SubmitCollectionBody.parse(JSON.parse(body))).toEqual({
    ...submission,
    values,
    fieldIds: ["colour"],
  });
});

test("an upload is one part named file, with its name, type and bytes, and again so when repeated", async () => {
  const { client, sent } = open([
    () => errorResponse("file_not_ready", 409),
    () => jsonResponse({ item: aFile }),
  ]);
  await client.uploadFile(chatId, { ...upload, filename: 'a"b\r\n.png' }, key);
  for (const { address, init, headers } of sent) {
    expect(headers.has("content-type")).toBe(false);
    const request = new Request(address, { method: "POST", body: init.body ?? null });
    const form = await request.formData();
    expect([...form.keys()]).toEqual(["file"]);
    const file = form.get("file");
    if (!(file instanceof File)) throw new Error("expected a file");
    expect(file.name).toBe('a"b\r\n.png');
    expect(file.type).toBe("image/png");
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3));
  }
  expect(sent).toHaveLength(2);
});

test("an upload that is written down already goes out as it is, with its type, and again so when repeated", async () => {
  const { client, sent } = open([
    () => errorResponse("file_not_ready", 409),
    () => jsonResponse({ item: aFile }),
  ]);
  const body = new TextEncoder().encode("--b\r\n\r\nbytes\r\n--b--\r\n");
  await client.uploadFile(chatId, { body, contentType: "multipart/form-data; boundary=b" }, key);
  expect(sent).toHaveLength(2);
  for (const { init, headers } of sent) {
    expect(init.body).toBe(body);
    expect(headers.get("content-type")).toBe("multipart/form-data; boundary=b");
  }
});

test("a list without query has none, and is added to an address that has one", async () => {
  const { client, sent } = open([() => jsonResponse(page), () => jsonResponse(page)]);
  await client.listMessages(chatId);
  expect(sent[0]?.address).not.toContain("?");
  const { fetch, sent: withQuery } = scriptedFetch([() => jsonResponse(page)]);
  const { options } = testOptions({ fetch, url: () => "/api/list?v=1" });
  await createChatClient(options).listMessages(chatId, { limit: 1 });
  expect(withQuery[0]?.address).toBe("/api/list?v=1&limit=1");
});

test.each(["..", "../x", "short", "a/b-c-d-e", "chat_0001\n", "x".repeat(129), "chat 0001"])(
  "the ID %j is refused before anything is sent",
  async (id) => {
    const { client, sent } = open([]);
    await expect(client.getChat(id)).rejects.toMatchObject({ name: "ChatApiError", code: "invalid_id" });
    await expect(client.downloadFile(chatId, id)).rejects.toMatchObject({ code: "invalid_id" });
    expect(sent).toHaveLength(0);
  },
);

test("a write without a usable key is refused before anything is sent", async () => {
  const { client, sent } = open([]);
  await expect(client.createChat({}, { idempotencyKey: "seven-7" })).rejects.toThrow(TypeError);
  await expect(
    client.handoff(chatId, { confirmationId: "x" }, { idempotencyKey: "x".repeat(129) }),
  ).rejects.toThrow("idempotencyKey");
  expect(sent).toHaveLength(0);
});

test("a header that HTTP does not allow is not quoted", async () => {
  const { client } = open([], { headers: () => ({ authorization: "Bearer ck_secret\nx" }) });
  const error: unknown = await client.getChat(chatId).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("ck_secret");
});

test("headers are asked for before every attempt, and may come later", async () => {
  let asked = 0;
  const { client, sent } = open(
    [() => errorResponse("internal_error", 500), () => jsonResponse({ item: aChat() })],
    {
      headers: async () => {
        asked += 1;
        return { authorization: `Bearer ck_${asked}` };
      },
    },
  );
  await client.getChat(chatId);
  expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer ck_1", "Bearer ck_2"]);
});

test.each(jsonOperations)(
  "%s is repeated unchanged, with its key, after a lost connection and after a server error",
  async (operation) => {
    const answer = operation === "listMessages" ? page : { item: calls[operation].item };
    const { client, sent, waits } = open([
      () => Promise.reject(new TypeError("fetch failed")),
      () => errorResponse("internal_error", 500),
      () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }),
      () => jsonResponse(answer),
    ]);
    await calls[operation].call(client);
    expect(waits).toEqual([150, 450, 1_350]);
    expect(new Set(sent.map(({ address }) => address)).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
    if (operations[operation].body === "json")
      expect(new Set(sent.map(({ init }) => init.body)).size).toBe(1);
  },
);

test.each(
  jsonOperations.flatMap((operation) =>
    operations[operation].errors.map((code) => [operation, code] as const),
  ),
)("%s answers %s: repeated or thrown as the table says", async (operation, code) => {
  const { status, retry } = errorRules[code];
  const answer = operation === "listMessages" ? page : { item: calls[operation].item };
  const { client, sent } = open([
    () => errorResponse(code, status, { field: "/x" }),
    () => jsonResponse(answer),
  ]);
  const error: unknown = await calls[operation].call(client).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (retry === "after_delay") {
    expect(error).toBeUndefined();
    expect(sent).toHaveLength(2);
  } else {
    expect(error).toBeInstanceOf(ChatApiError);
    expect(error).toMatchObject({ code, field: "/x", requestId: "req_1" });
    expect(sent).toHaveLength(1);
  }
});

test("what does not heal is thrown after three repetitions", async () => {
  const { client, sent } = open(Array.from({ length: 4 }, () => () => errorResponse("internal_error", 500)));
  await expect(client.getChat(chatId)).rejects.toMatchObject({ code: "internal_error" });
  expect(sent).toHaveLength(4);
});

test("no repetition begins after the budget, however fast each wait was", async () => {
  const slow = () => {
    clock.time += 8_000;
    return errorResponse("internal_error", 500);
  };
  const { client, sent, clock } = open([slow, slow, slow]);
  await expect(client.getChat(chatId)).rejects.toMatchObject({ code: "internal_error" });
  expect(sent).toHaveLength(2);
});

test("Retry-After is waited for, and kept on the error when it is too long", async () => {
  const { client, waits } = open([
    () =>
      errorResponse("service_unavailable", 503, { headers: { "retry-after": "3" }, retryAfterSeconds: 4 }),
    () => errorResponse("service_unavailable", 503, { headers: { "retry-after": "60" } }),
  ]);
  await expect(client.sendMessage(chatId, { text: "x" }, key)).rejects.toMatchObject({
    retryAfterSeconds: 60,
  });
  expect(waits).toEqual([4_400]);
});

test("an error answer that is no JSON, cut, or endless is read by its status", async () => {
  const endless = () =>
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  const json = { "content-type": "application/json" };
  const answers = [
    () => new Response("nope", { status: 404 }),
    () => new Response(null, { status: 404 }),
    () => new Response("{", { status: 404, headers: json }),
    () => new Response(bodyOf([bytesOf("{")], "error"), { status: 404, headers: json }),
    () => new Response(endless(), { status: 404, headers: json }),
  ];
  for (const answer of answers) {
    await expect(open([answer]).client.getChat(chatId)).rejects.toMatchObject({ code: "not_found" });
  }
});

test("a success that is no JSON is repeated, since it is often half an answer", async () => {
  const half = () => new Response('{"item":{"id', { headers: { "content-type": "application/json" } });
  const html = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const empty = () => new Response(null, { status: 200 });
  const { client } = open([half, html, empty, () => jsonResponse({ item: aChat() })]);
  expect(await client.getChat(chatId)).toEqual(aChat());
});

test.each([204, 205, 206])("status %d is none that an operation has", async (status) => {
  const { client } = open(Array.from({ length: 4 }, () => () => new Response(null, { status })));
  await expect(client.getChat(chatId)).rejects.toMatchObject({ name: "ContractError", fault: "unreadable" });
});

test.each([301, 302, 303, 307, 308])("a redirect (%d) is not followed and not repeated", async (status) => {
  const { client, sent } = open([
    () => new Response(null, { status, headers: { location: "https://evil.test/?k=secret" } }),
  ]);
  const error: unknown = await client.createChat({}, key).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "ContractError", fault: "redirect" });
  expect(String(error)).not.toContain("evil");
  expect(sent).toHaveLength(1);
});

test("a browser's hidden redirect is one too", async () => {
  const hidden = Object.defineProperties(Response.error(), {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
  });
  const { client } = open([() => hidden]);
  await expect(client.getChat(chatId)).rejects.toMatchObject({ fault: "redirect" });
});

test("an answer is read up to the limit, counted in bytes", async () => {
  const body = JSON.stringify({ item: aChat({ userId: "é".repeat(100) }) });
  const size = bytesOf(body).length;
  const answer = () => new Response(body, { headers: { "content-type": "APPLICATION/JSON; charset=utf-8" } });
  expect(await open([answer], { limits: { jsonBytes: size } }).client.getChat(chatId)).toMatchObject({
    id: chatId,
  });
  await expect(
    open([answer], { limits: { jsonBytes: size - 1 } }).client.getChat(chatId),
  ).rejects.toMatchObject({ fault: "too_large" });
});

test("characters that are split between pieces are put together", async () => {
  const bytes = bytesOf(JSON.stringify({ item: aChat({ userId: "🙂é" }) }));
  const answer = () =>
    new Response(bodyOf(Array.from(bytes, (byte) => Uint8Array.of(byte))), {
      headers: { "content-type": "application/json" },
    });
  expect((await open([answer]).client.getChat(chatId)).userId).toBe("🙂é");
});

test("aborting rejects with the signal's reason: before, during, and while waiting", async () => {
  const reason = new Error("the customer left");
  const aborted = AbortSignal.abort(reason);
  const { client, sent } = open([]);
  await expect(client.getChat(chatId, { signal: aborted })).rejects.toBe(reason);
  expect(sent).toHaveLength(0);

  const during = new AbortController();
  const hanging = open([], {
    fetch: (_, init) =>
      new Promise((_resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(new DOMException("x", "AbortError")));
        during.abort(reason);
      }),
  });
  await expect(hanging.client.getChat(chatId, { signal: during.signal })).rejects.toBe(reason);

  const waiting = new AbortController();
  const repeated = open([() => errorResponse("internal_error", 500)], {
    sleep: async () => waiting.abort(reason),
  });
  await expect(repeated.client.getChat(chatId, { signal: waiting.signal })).rejects.toBe(reason);
});

test("the caller's signal is forgotten, however the call ends", async () => {
  const endings: Parameters<typeof scriptedFetch>[0][] = [
    [() => jsonResponse({ item: aChat() })],
    [() => errorResponse("internal_error", 500), () => jsonResponse({ item: aChat() })],
    [() => errorResponse("chat_not_found", 404)],
    [() => jsonResponse({ wrong: true })],
    [() => new Response(null, { status: 302 })],
    [() => new Response(null, { status: 404 })],
  ];
  for (const answers of endings) {
    const { signal, listeners } = countedSignal();
    await open(answers)
      .client.getChat(chatId, { signal })
      .catch(() => undefined);
    expect(listeners()).toBe(0);
  }
  for (const body of ["bytes", null]) {
    const { signal, listeners } = countedSignal();
    const response = await open([() => new Response(body)]).client.downloadFile(chatId, fileId, { signal });
    await response.arrayBuffer();
    expect(listeners()).toBe(0);
  }
});

test("the policy's gate is asked before every attempt and told of every outcome", async () => {
  const seen: unknown[] = [];
  const { client } = open(
    [() => errorResponse("internal_error", 500), () => jsonResponse({ item: aChat() })],
    {
      retry: {
        delay: ({ repeats }) => (repeats === 0 ? 1 : null),
        admit: async ({ operation, number, streams }) =>
          void seen.push(["admit", operation, number, streams]),
        observe: ({ number }, error) => void seen.push(["observe", number, error?.name]),
      },
    },
  );
  await client.getChat(chatId);
  expect(seen).toEqual([
    ["admit", "getChat", 1, false],
    ["observe", 1, "ChatApiError"],
    ["admit", "getChat", 2, false],
    ["observe", 2, undefined],
  ]);
});

test("an attempt that the caller leaves is not observed", async () => {
  const observed: unknown[] = [];
  const controller = new AbortController();
  const { client } = open([], {
    fetch: async () => {
      controller.abort();
      throw new TypeError("aborted");
    },
    retry: { delay: () => 1, observe: (_, error) => observed.push(error) },
  });
  await expect(client.getChat(chatId, { signal: controller.signal })).rejects.toThrow("aborted");
  expect(observed).toEqual([]);
});

test("what the gate refuses is not sent and not observed, and repeated if the policy says so", async () => {
  let refusals = 2;
  const observed: unknown[] = [];
  const retry: RetryPolicy = {
    delay: ({ repeats }) => (repeats < 2 ? 1 : null),
    admit: ({ operation }) => {
      refusals -= 1;
      if (refusals >= 0) throw new ChatConnectionError(operation, "unreachable", "CIRCUIT_OPEN");
    },
    observe: (_, error) => observed.push(error),
  };
  const { client, sent, waits } = open([() => jsonResponse({ item: aChat() })], { retry });
  expect(await client.getChat(chatId)).toEqual(aChat());
  expect(sent).toHaveLength(1);
  expect(waits).toEqual([1, 1]);
  expect(observed).toEqual([undefined]);
  refusals = 9;
  const refused = { name: "ChatConnectionError", systemCode: "CIRCUIT_OPEN" };
  await expect(client.getChat(chatId)).rejects.toMatchObject(refused);
  const stream = client.streamMessage(chatId, { text: "x" }, key)[Symbol.asyncIterator]();
  await expect(stream.next()).rejects.toMatchObject(refused);
  expect(sent).toHaveLength(1);
});

const downloadHeaders = {
  "content-type": "image/png",
  "content-disposition": 'attachment; filename="a.png"',
  "content-length": "3",
};

test("a download is passed on with its headers", async () => {
  const { client, sent } = open([
    () => errorResponse("file_not_ready", 409),
    () => new Response(Uint8Array.of(1, 2, 3), { headers: downloadHeaders }),
  ]);
  const response = await client.downloadFile(chatId, fileId);
  expect(Object.fromEntries(response.headers)).toEqual(downloadHeaders);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3));
  expect(sent[1]?.address).toContain(`/chats/${chatId}/files/${fileId}`);
  expect(sent[1]?.headers.get("accept-encoding")).toBe("identity");
});

test("headers of a compressed form do not outlive its decoding", async () => {
  const { client } = open([
    () => new Response("decoded", { headers: { ...downloadHeaders, "content-encoding": "gzip" } }),
  ]);
  const { headers } = await client.downloadFile(chatId, fileId);
  expect(headers.has("content-encoding") || headers.has("content-length")).toBe(false);
});

test("a download fails beyond the size of a file, and when it breaks off", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
  });
  const large = await open([() => new Response(endless)]).client.downloadFile(chatId, fileId);
  await expect(large.arrayBuffer()).rejects.toMatchObject({ name: "ContractError", fault: "too_large" });
  const cut = await open([() => new Response(bodyOf([bytesOf("x")], "error"))]).client.downloadFile(
    chatId,
    fileId,
  );
  await expect(cut.arrayBuffer()).rejects.toMatchObject({ name: "ChatConnectionError", fault: "cut" });
  const allowed = await open([() => new Response(new Uint8Array(4 * 1024 * 1024))]).client.downloadFile(
    chatId,
    fileId,
  );
  expect((await allowed.arrayBuffer()).byteLength).toBe(4 * 1024 * 1024);
});

test("giving up a download frees its connection", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel() {
      cancelled = true;
    },
  });
  const response = await open([() => new Response(body)]).client.downloadFile(chatId, fileId);
  await response.body?.cancel();
  expect(cancelled).toBe(true);
});

test("a download of an error or a redirect is an error", async () => {
  await expect(
    open([() => errorResponse("file_not_found", 404)]).client.downloadFile(chatId, fileId),
  ).rejects.toMatchObject({ code: "file_not_found" });
  await expect(
    open([() => new Response(null, { status: 302 })]).client.downloadFile(chatId, fileId),
  ).rejects.toMatchObject({ fault: "redirect" });
});
