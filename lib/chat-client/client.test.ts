import { expect, test } from "vitest";
import { ChatApiError, responseOf } from "../chat-api/errors.ts";
import { operationContracts } from "../chat-api/operation-contracts.ts";
import { SubmitCollectionBody } from "../chat-api/operations/submit-collection.ts";
import { type OperationName, operationNames, operationPath, operations } from "../chat-api/operations.ts";
import {
  aChat,
  aCollection,
  aFile,
  aMessage,
  aTurn,
  chatId,
  idempotencyKey,
} from "../chat-api/testing/builders.ts";
import { type ChatClient, type ChatClientOptions, createChatClient, type WriteCall } from "./client.ts";
import { contractParser } from "./contract-parser.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";
import type { RetryPolicy } from "./retry.ts";
import {
  bodyOf,
  bytesOf,
  collect,
  countedSignal,
  errorResponse,
  jsonResponse,
  scriptedFetch,
  silence,
  testOptions,
} from "./testing/streams.ts";

const fileId = "file_0001";
const key: WriteCall = { idempotencyKey };
const png = new Blob([Uint8Array.of(1, 2, 3)]);
const upload = { bytes: png, filename: "helmet.png", mediaType: "image/png" };
const submission = { collectionRequestId: null, expectedVersion: 3, action: "save" } as const;

function open(responses: Parameters<typeof scriptedFetch>[0], overrides: Partial<ChatClientOptions> = {}) {
  const { fetch, requests } = scriptedFetch(responses);
  const { options, waits, clock } = testOptions({ fetch, ...overrides });
  options.url = (operation, ids) =>
    `https://chat.test/v1/channels/dep_demo_shop${operationPath(operation, ids)}`;
  return { client: createChatClient(options), requests, waits, clock };
}

/** Each JSON operation: its call, the peer's response and the result. */
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
    item: aFile(),
    path: `/chats/${chatId}/files`,
  },
  getCollection: {
    call: (client) => client.getCollection(chatId),
    item: aCollection(),
    path: `/chats/${chatId}/collection`,
  },
  submitCollection: {
    call: (client) => client.submitCollection(chatId, submission, key),
    item: aCollection(),
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
const takesJson = (operation: OperationName) => operations[operation].writes && operation !== "uploadFile";
const jsonOperations = operationNames.filter((operation) => operation !== "downloadFile");

for (const parse of [undefined, contractParser]) {
  const place = parse === undefined ? "browser" : "server";
  test.each(jsonOperations)(
    `%s sends the contract's request and returns its result (${place})`,
    async (operation) => {
      const { call, item, body, path } = calls[operation];
      const { method, status, writes } = operations[operation];
      const response = operation === "listMessages" ? page : { item };
      const { client, requests } = open(
        [() => jsonResponse(response, { status }), () => jsonResponse(response, { status: 200 })],
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
      const request = requests[0];
      expect(request?.address).toBe(`https://chat.test/v1/channels/dep_demo_shop${path}`);
      expect(request?.init).toMatchObject({ method, redirect: "manual", cache: "no-store" });
      if (body !== undefined) expect(request?.init.body).toBe(body);
      expect(Object.fromEntries(request?.headers ?? [])).toEqual({
        accept: "application/json",
        authorization: "Bearer ck_test",
        ...(takesJson(operation) ? { "content-type": "application/json" } : {}),
        ...(writes ? { "idempotency-key": idempotencyKey } : {}),
      });
    },
  );

  test.each(jsonOperations)(`%s rejects a response of another shape (${place})`, async (operation) => {
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
      const { client, requests } = open([() => jsonResponse(body)], { parse });
      const error: unknown = await calls[operation].call(client).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ContractError);
      expect(error).toMatchObject({ kind: "shape", operation, requestId: "req_1" });
      expect(String(error)).not.toMatch(/secret|ck_test|key-0000/);
      expect(requests).toHaveLength(1);
    }
  });
}

test("rejects an incomplete turn in a browser, which checks only the outline", async () => {
  const turn = aTurn("Hello");
  for (const item of [
    { ...turn, message: null },
    { ...turn, chat: 7 },
    { ...turn, reply: "x" },
  ]) {
    const { client } = open([() => jsonResponse({ item })]);
    await expect(client.sendMessage(chatId, { text: "Hi" }, key)).rejects.toMatchObject({ kind: "shape" });
  }
});

test("checks every field on a server and drops unknown ones", async () => {
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

test("keeps answers under the keys __proto__ and constructor", async () => {
  const { client, requests } = open([() => jsonResponse({ item: aCollection() })]);
  const values = new Map([
    ["__proto__", "a"],
    ["constructor", "b"],
    ["size", "c"],
  ]);
  await client.submitCollection(chatId, { ...submission, values, fieldIds: ["colour"] }, key);
  const body = String(requests[0]?.init.body);
  expect(body).toContain('"values":{"__proto__":"a","constructor":"b","size":"c"}');
  expect(SubmitCollectionBody.parse(JSON.parse(body))).toEqual({
    ...submission,
    values,
    fieldIds: ["colour"],
  });
});

test("uploads one part named file with its name, type and bytes, even on retry", async () => {
  const { client, requests } = open([
    () => errorResponse("file_not_ready", 409),
    () => jsonResponse({ item: aFile() }),
  ]);
  await client.uploadFile(chatId, { ...upload, filename: 'a"b\r\n.png' }, key);
  for (const { address, init, headers } of requests) {
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
  expect(requests).toHaveLength(2);
});

test("sends a prepared upload unchanged with its type, even on retry", async () => {
  const { client, requests } = open([
    () => errorResponse("file_not_ready", 409),
    () => jsonResponse({ item: aFile() }),
  ]);
  const body = new TextEncoder().encode("--b\r\n\r\nbytes\r\n--b--\r\n");
  await client.uploadFile(chatId, { body, contentType: "multipart/form-data; boundary=b" }, key);
  expect(requests).toHaveLength(2);
  for (const { init, headers } of requests) {
    expect(await new Response(init.body).text()).toBe("--b\r\n\r\nbytes\r\n--b--\r\n");
    expect(headers.get("content-type")).toBe("multipart/form-data; boundary=b");
  }
});

test("adds a query to the URL of a list only when one is given", async () => {
  const { client, requests } = open([() => jsonResponse(page), () => jsonResponse(page)]);
  await client.listMessages(chatId);
  expect(requests[0]?.address).not.toContain("?");
  const { fetch, requests: withQuery } = scriptedFetch([() => jsonResponse(page)]);
  const { options } = testOptions({ fetch, url: () => "/api/list?v=1" });
  await createChatClient(options).listMessages(chatId, { limit: 1 });
  expect(withQuery[0]?.address).toBe("/api/list?v=1&limit=1");
});

test.each(["..", "../x", "short", "a/b-c-d-e", "chat_0001\n", "x".repeat(129), "chat 0001"])(
  "rejects the ID %j before it sends anything",
  async (id) => {
    const { client, requests } = open([]);
    await expect(client.getChat(id)).rejects.toMatchObject({ name: "ChatApiError", code: "invalid_id" });
    await expect(client.downloadFile(chatId, id)).rejects.toMatchObject({ code: "invalid_id" });
    expect(requests).toHaveLength(0);
  },
);

test("rejects a write without a valid key before it sends anything", async () => {
  const { client, requests } = open([]);
  await expect(client.createChat({}, { idempotencyKey: "seven-7" })).rejects.toThrow(TypeError);
  await expect(
    client.handoff(chatId, { confirmationId: "x" }, { idempotencyKey: "x".repeat(129) }),
  ).rejects.toThrow("idempotencyKey");
  expect(requests).toHaveLength(0);
});

test("does not quote an invalid header in the error", async () => {
  const { client } = open([], { headers: () => ({ authorization: "Bearer ck_secret\nx" }) });
  const error: unknown = await client.getChat(chatId).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("ck_secret");
});

test("calls the headers option before every attempt and awaits it", async () => {
  let calls = 0;
  const { client, requests } = open(
    [() => errorResponse("internal_error", 500), () => jsonResponse({ item: aChat() })],
    {
      headers: async () => {
        calls += 1;
        return { authorization: `Bearer ck_${calls}` };
      },
    },
  );
  await client.getChat(chatId);
  expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer ck_1", "Bearer ck_2"]);
});

test.each(jsonOperations)(
  "repeats %s unchanged with its key after a lost connection and a server error",
  async (operation) => {
    const response = operation === "listMessages" ? page : { item: calls[operation].item };
    const { client, requests, waits } = open([
      () => Promise.reject(new TypeError("fetch failed")),
      () => errorResponse("internal_error", 500),
      () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }),
      () => jsonResponse(response),
    ]);
    await calls[operation].call(client);
    expect(waits).toEqual([150, 450, 1_350]);
    expect(new Set(requests.map(({ address }) => address)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
    if (takesJson(operation)) expect(new Set(requests.map(({ init }) => init.body)).size).toBe(1);
  },
);

/**
 * The codes whose meaning in docs/chat-api.md, "Error codes", asks to send again, to try again or to upload
 * again.
 */
const sentAgain: ReadonlySet<string> = new Set([
  "internal_error",
  "service_unavailable",
  "rate_limited",
  "capacity_limited",
  "file_not_ready",
]);

test.each(
  jsonOperations.flatMap((operation) =>
    operationContracts[operation].errors.map((code) => [operation, code] as const),
  ),
)("handles %s answered with %s by a retry or an error, as specified", async (operation, code) => {
  const { status } = responseOf(code);
  const response = operation === "listMessages" ? page : { item: calls[operation].item };
  const { client, requests } = open([
    () => errorResponse(code, status, { field: "/x" }),
    () => jsonResponse(response),
  ]);
  const error: unknown = await calls[operation].call(client).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (sentAgain.has(code)) {
    expect(error).toBeUndefined();
    expect(requests).toHaveLength(2);
  } else {
    expect(error).toBeInstanceOf(ChatApiError);
    expect(error).toMatchObject({ code, field: "/x", requestId: "req_1" });
    expect(requests).toHaveLength(1);
  }
});

test("waits for a short Retry-After and leaves a long one to the caller", async () => {
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

test("classifies a non-JSON or endless error response by its status", async () => {
  const endless = () =>
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  const json = { "content-type": "application/json" };
  const responses = [
    () => new Response("nope", { status: 404 }),
    () => new Response(null, { status: 404 }),
    () => new Response(endless(), { status: 404, headers: json }),
  ];
  for (const response of responses) {
    await expect(open([response]).client.getChat(chatId)).rejects.toMatchObject({ code: "not_found" });
  }
});

test("retries a successful response whose body is truncated or not JSON", async () => {
  const half = () => new Response('{"item":{"id', { headers: { "content-type": "application/json" } });
  const html = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const empty = () => new Response(null, { status: 200 });
  const { client } = open([half, html, empty, () => jsonResponse({ item: aChat() })]);
  expect(await client.getChat(chatId)).toEqual(aChat());
});

test.each([204, 205, 206])("rejects the status %d, which no operation has", async (status) => {
  const { client } = open(Array.from({ length: 4 }, () => () => new Response(null, { status })));
  await expect(client.getChat(chatId)).rejects.toMatchObject({ name: "ContractError", kind: "unreadable" });
});

test("treats an opaque redirect of the browser as a redirect", async () => {
  const hidden = Object.defineProperties(Response.error(), {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
  });
  const { client } = open([() => hidden]);
  await expect(client.getChat(chatId)).rejects.toMatchObject({ kind: "redirect" });
});

test("reads a response up to the limit in bytes", async () => {
  const body = JSON.stringify({ item: aChat({ userId: "é".repeat(100) }) });
  const size = bytesOf(body).length;
  const response = () =>
    new Response(body, { headers: { "content-type": "APPLICATION/JSON; charset=utf-8" } });
  expect(await open([response], { limits: { jsonBytes: size } }).client.getChat(chatId)).toMatchObject({
    id: chatId,
  });
  await expect(
    open([response], { limits: { jsonBytes: size - 1 } }).client.getChat(chatId),
  ).rejects.toMatchObject({ kind: "too_large" });
});

test("joins characters that are split between chunks", async () => {
  const bytes = bytesOf(JSON.stringify({ item: aChat({ userId: "🙂é" }) }));
  const response = () =>
    new Response(bodyOf(Array.from(bytes, (byte) => Uint8Array.of(byte))), {
      headers: { "content-type": "application/json" },
    });
  expect((await open([response]).client.getChat(chatId)).userId).toBe("🙂é");
});

test("rejects with the signal's reason before, during and between attempts", async () => {
  const reason = new Error("the customer left");
  const aborted = AbortSignal.abort(reason);
  const { client, requests } = open([]);
  await expect(client.getChat(chatId, { signal: aborted })).rejects.toBe(reason);
  expect(requests).toHaveLength(0);

  const during = new AbortController();
  const hanging = open([], { fetch: silence(() => during.abort(reason)) });
  await expect(hanging.client.getChat(chatId, { signal: during.signal })).rejects.toBe(reason);

  const waiting = new AbortController();
  const repeated = open([() => errorResponse("internal_error", 500)], {
    sleep: async () => waiting.abort(reason),
  });
  await expect(repeated.client.getChat(chatId, { signal: waiting.signal })).rejects.toBe(reason);
});

test("removes its listener from the caller's signal, however the call ends", async () => {
  const endings: Parameters<typeof scriptedFetch>[0][] = [
    [() => jsonResponse({ item: aChat() })],
    [() => errorResponse("internal_error", 500), () => jsonResponse({ item: aChat() })],
    [() => errorResponse("chat_not_found", 404)],
    [() => jsonResponse({ wrong: true })],
    [() => new Response(null, { status: 302 })],
    [() => new Response(null, { status: 404 })],
  ];
  for (const responses of endings) {
    const { signal, listeners } = countedSignal();
    await open(responses)
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

test("calls the policy before every attempt and reports every outcome to it", async () => {
  const seen: unknown[] = [];
  const { client } = open(
    [() => errorResponse("internal_error", 500), () => jsonResponse({ item: aChat() })],
    {
      retry: {
        delay: ({ repeats }) => (repeats === 0 ? 1 : null),
        admit: ({ operation, number, streams }) => void seen.push(["admit", operation, number, streams]),
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

test("does not report an attempt that the caller aborted", async () => {
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

test("takes a proxy's refusal of a repeated write for the unknown outcome of the attempt before", async () => {
  const lost = () => Promise.reject(new TypeError("fetch failed"));
  const refused = () => new Response("<html>", { status: 413 });
  const { client } = open([lost, refused, refused, refused]);
  await expect(client.sendMessage(chatId, { text: "Hi" }, key)).rejects.toBeInstanceOf(ChatConnectionError);
  const replaced = open([() => new Response("<html>", { status: 502 }), refused, refused, refused]);
  await expect(replaced.client.sendMessage(chatId, { text: "Hi" }, key)).rejects.toMatchObject({
    code: "upstream_unreachable",
  });
  await expect(open([refused]).client.sendMessage(chatId, { text: "Hi" }, key)).rejects.toMatchObject({
    code: "payload_too_large",
  });
});

test("takes a passing refusal of a repeated write for the unknown outcome of the attempt before", async () => {
  const lost = () => Promise.reject(new TypeError("fetch failed"));
  const send = (...answers: Parameters<typeof scriptedFetch>[0]) =>
    open(answers).client.sendMessage(chatId, { text: "Hi" }, key);
  const suspended = () => errorResponse("workspace_suspended", 403);
  await expect(send(lost, suspended)).rejects.toBeInstanceOf(ChatConnectionError);
  await expect(send(suspended)).rejects.toMatchObject({ code: "workspace_suspended" });
  // The keys of what is stored are looked up before this.
  await expect(send(lost, () => errorResponse("chat_closed", 409))).rejects.toMatchObject({
    code: "chat_closed",
  });
});

test("retries an attempt that the policy refuses, without sending or reporting it", async () => {
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
  const { client, requests, waits } = open([() => jsonResponse({ item: aChat() })], { retry });
  expect(await client.getChat(chatId)).toEqual(aChat());
  expect(requests).toHaveLength(1);
  expect(waits).toEqual([1, 1]);
  expect(observed).toEqual([undefined]);
  refusals = 9;
  const refusal = { name: "ChatConnectionError", systemCode: "CIRCUIT_OPEN" };
  await expect(client.getChat(chatId)).rejects.toMatchObject(refusal);
  await expect(collect(client.streamMessage(chatId, { text: "x" }, key))).rejects.toMatchObject(refusal);
  expect(requests).toHaveLength(1);
});

/** Downloads a file from a peer with this response. */
const download = (response: () => Response) => open([response]).client.downloadFile(chatId, fileId);

const downloadHeaders = {
  "content-type": "image/png",
  "content-disposition": 'attachment; filename="a.png"',
  "content-length": "3",
};

test("passes a download on with its headers", async () => {
  const { client, requests } = open([
    () => errorResponse("file_not_ready", 409),
    () => new Response(Uint8Array.of(1, 2, 3), { headers: downloadHeaders }),
  ]);
  const response = await client.downloadFile(chatId, fileId);
  expect(Object.fromEntries(response.headers)).toEqual(downloadHeaders);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3));
  expect(requests[1]?.address).toContain(`/chats/${chatId}/files/${fileId}`);
  expect(requests[1]?.headers.get("accept-encoding")).toBe("identity");
});

test("drops the headers of a content encoding that was decoded", async () => {
  const { client } = open([
    () => new Response("decoded", { headers: { ...downloadHeaders, "content-encoding": "gzip" } }),
  ]);
  const { headers } = await client.downloadFile(chatId, fileId);
  expect(headers.has("content-encoding") || headers.has("content-length")).toBe(false);
});

test("fails a download that exceeds the file limit or is truncated", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
  });
  const large = await download(() => new Response(endless));
  await expect(large.arrayBuffer()).rejects.toMatchObject({ name: "ContractError", kind: "too_large" });
  const cut = await download(() => new Response(bodyOf([bytesOf("x")], "error")));
  await expect(cut.arrayBuffer()).rejects.toMatchObject({ name: "ChatConnectionError", kind: "cut" });
  const allowed = await download(() => new Response(new Uint8Array(4 * 1024 * 1024)));
  expect((await allowed.arrayBuffer()).byteLength).toBe(4 * 1024 * 1024);
});

test("frees the connection of a cancelled download", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel() {
      cancelled = true;
    },
  });
  const response = await download(() => new Response(body));
  await response.body?.cancel();
  expect(cancelled).toBe(true);
});

test("rejects a download answered with an error or a redirect", async () => {
  await expect(download(() => errorResponse("file_not_found", 404))).rejects.toMatchObject({
    code: "file_not_found",
  });
  await expect(download(() => new Response(null, { status: 302 }))).rejects.toMatchObject({
    kind: "redirect",
  });
});

test("pulls a chunk of a download only when its reader asks for one", async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(bytesOf("chunk"));
      },
    },
    { highWaterMark: 0 },
  );
  const response = await download(() => new Response(endless));
  const reader = response.body?.getReader();
  for (const count of [1, 2, 3]) {
    await reader?.read();
    await new Promise(setImmediate);
    expect(pulled).toBe(count);
  }
  await reader?.cancel();
});
