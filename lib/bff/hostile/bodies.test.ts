/** Request bodies that the BFF rejects before it calls the Chat API. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { beforeEach, expect, test, vi } from "vitest";
import { errorRules } from "../../chat-api/errors.ts";
import { heldMemory, peakMemory } from "../../chat-client/testing/held-memory.ts";
import { bodyOf, bytesOf, inPieces } from "../../chat-client/testing/streams.ts";
import { bffLimits } from "../configuration/limits.ts";
import { readBody } from "../http/body.ts";
import {
  expectRefused,
  hostilePeer,
  maya,
  type Outcome,
  outcomeOf,
  ownerOfChat,
  sharedBff,
} from "../testing/hostile-set-up.ts";
import { aChat, aMessage, emptyPage, testChannelKey } from "../testing/hostile-upstream.ts";
import { freshKey, type TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);
let browser: TestBrowser;
beforeEach(async () => {
  browser = await ownerOfChat(t, upstream);
  upstream.respond("POST /chats", 201, { item: aChat(maya) });
  upstream.respond("POST /chats/chat_0001/messages", 201, {
    item: { message: aMessage(), reply: null, chat: aChat(maya) },
  });
  upstream.respond("POST /chats/chat_0001/collection", 200, { item: { version: 1 } });
  upstream.respond("POST /chats/chat_0001/handoff", 201, { item: aChat(maya) });
  upstream.respond("GET /chats/chat_0001/messages", 200, emptyPage);
});
const messages = "/api/chat/chats/chat_0001/messages";
const collection = "/api/chat/chats/chat_0001/collection";
const handoff = "/api/chat/chats/chat_0001/handoff";

function postRaw(path: string, body: BodyInit | null, headers: Record<string, string> = {}) {
  return browser.send(path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "idempotency-key": freshKey(), ...headers },
  });
}

const writes = () => upstream.seen.filter(({ method }) => method === "POST");

test.each([
  ["/api/chat/session", "[]"],
  ["/api/chat/chats", ""],
  [messages, Buffer.from('{"text":"\xff"}', "latin1")],
  [collection, "\ufeff{}"],
  [handoff, "{}{}"],
])("rejects a body for %s that is not one JSON object in UTF-8", async (path, body) => {
  await expectRefused(postRaw(path, body), "invalid_json");
  expect(writes()).toEqual([]);
});

test("rejects content types other than JSON in UTF-8", async () => {
  for (const type of [
    "text/plain",
    "application/json;charset=utf-16",
    "application/json-patch+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json, text/plain",
  ]) {
    await expectRefused(
      postRaw(messages, '{"text":"a"}', { "content-type": type }),
      "unsupported_media_type",
      type,
    );
  }
  const untyped = new Blob(['{"text":"a"}']).stream();
  const headers = { "idempotency-key": freshKey() };
  const response = browser.send(messages, { method: "POST", body: untyped, headers });
  await expectRefused(response, "unsupported_media_type");
  for (const type of [
    "Application/JSON",
    "application/json; charset=UTF-8",
    'application/json;charset="utf-8"',
  ]) {
    expect((await postRaw(messages, '{"text":"a"}', { "content-type": type })).status, type).toBe(201);
  }
});

test("rejects a compressed body without unpacking it", async () => {
  const plain = Buffer.from('{"text":"a"}');
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const bodies: [string, Buffer][] = [
    ["gzip", gzipSync(plain)],
    ["br", brotliCompressSync(plain)],
    ["gzip, gzip", gzipSync(gzipSync(plain))],
    ["gzip", bomb],
  ];
  for (const [encoding, body] of bodies) {
    const { result, bytes } = await peakMemory(() =>
      outcomeOf(postRaw(messages, new Uint8Array(body), { "content-encoding": encoding })),
    );
    expect(result).toMatchObject({ code: "unsupported_media_type" });
    expect(bytes).toBeLessThan(16 * 1024 * 1024);
  }
  expect((await postRaw(messages, new Uint8Array(plain), { "content-encoding": "identity" })).status).toBe(
    201,
  );
});

/** A JSON object of this many bytes, padded with white space. */
function padded(object: string, bytes: number): string {
  return `${object.slice(0, -1)}${" ".repeat(bytes - object.length)}}`;
}

test("accepts bodies up to the limit, however they are sent and declared", async () => {
  const submission = '{"collectionRequestId":null,"expectedVersion":1,"action":"save"}';
  const cases: [string, string, number, number][] = [
    [messages, '{"text":"a"}', 32_768, 201],
    [collection, submission, 2_097_152, 200],
  ];
  for (const [path, object, limit, status] of cases) {
    expect((await postRaw(path, padded(object, limit))).status, path).toBe(status);
    expect((await postRaw(path, inPieces(padded(object, limit), 1_000))).status, path).toBe(status);
    const over = padded(object, limit + 1);
    await expectRefused(postRaw(path, over), "payload_too_large", path);
    await expectRefused(postRaw(path, inPieces(over, 1_000)), "payload_too_large", path);
    await expectRefused(
      postRaw(path, inPieces(over, 1_000), { "content-length": "10" }),
      "payload_too_large",
    );
  }
});

test("gives long forms, and those of unknown length, the slots of uploads", async () => {
  const leaving = Promise.withResolvers<void>();
  const silent = () => new ReadableStream<Uint8Array>({ pull: () => leaving.promise });
  const { uploadsPerSession } = bffLimits;
  const declared = (bytes: number | string) => ({ "content-length": `${bytes}` });
  const lengths = [{}, declared("no number")];
  const long = Array.from({ length: uploadsPerSession }, (_, at) =>
    postRaw(collection, silent(), lengths[at] ?? declared(32_769)),
  );
  await vi.waitFor(() => expect(t.bff.uploadSlots.size()).toBe(uploadsPerSession));
  await expectRefused(postRaw(collection, silent(), declared(32_769)), "rate_limited");
  const submission = '{"collectionRequestId":null,"expectedVersion":1,"action":"save"}';
  expect((await postRaw(collection, submission, declared(submission.length))).status).toBe(200);
  leaving.reject(new Error("The browser has left."));
  for (const response of long) expect((await response).status).toBe(503);
  expect(t.bff.uploadSlots.size()).toBe(0);
});

test("stops reading an endless body at the limit", async () => {
  let sentBytes = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sentBytes += 1_024;
      controller.enqueue(new Uint8Array(1_024).fill(32));
    },
  });
  await expectRefused(postRaw(messages, endless), "payload_too_large");
  expect(sentBytes).toBeLessThan(64 * 1024);
});

test("needs little memory for a body that arrives in 100,000 chunks of one byte", async () => {
  const length = 100_000;
  let sentBytes = 0;
  const before = heldMemory();
  let atTheEnd = 0;
  const crumbs = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        sentBytes += 1;
        controller.enqueue(Uint8Array.of((sentBytes === 1 ? "{" : " ").charCodeAt(0)));
        if (sentBytes < length) return;
        atTheEnd = heldMemory();
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  await expectRefused(postRaw(collection, crumbs), "invalid_json");
  expect(atTheEnd - before).toBeLessThan(3 * 1024 * 1024);
}, 30_000);

test("stops reading a slow body at its deadline", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  const started = Promise.withResolvers<void>();
  let dripping: NodeJS.Timeout | undefined;
  const slow = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        dripping ??= setInterval(() => controller.enqueue(Buffer.from(" ")), 1_000);
        started.resolve();
      },
      cancel: () => clearInterval(dripping),
    },
    { highWaterMark: 0 },
  );
  let refusal: Outcome | undefined;
  const ended = outcomeOf(postRaw(messages, slow)).then((outcome) => {
    refusal = outcome;
  });
  await started.promise;
  await vi.advanceTimersByTimeAsync(bffLimits.jsonBodyTime - 1);
  expect(refusal).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  await ended;
  expect(refusal).toMatchObject({ status: 503, code: "service_unavailable" });
  expect(writes()).toEqual([]);
});

test("stops reading a slow body at its deadline where a library has replaced Promise", async () => {
  vi.stubGlobal("Promise", class extends Promise<unknown> {});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const init = { method: "POST", body: new ReadableStream(), duplex: "half" };
  const reading = readBody({ request: new Request("http://a", init) }, { maxBytes: 1, time: 1_000 });
  const refused = expect(reading).rejects.toMatchObject({ code: "service_unavailable" });
  await vi.advanceTimersByTimeAsync(1_000);
  await refused;
});

test("treats a body that is cut off as a lost connection and forwards nothing", async () => {
  const broken = bodyOf([bytesOf('{"text":"hel')], "error");
  await expectRefused(postRaw(messages, broken), "service_unavailable");
  expect(errorRules.service_unavailable.nextKey).toBe("keep");
  expect(writes()).toEqual([]);
});

test("treats a body shorter than its Content-Length as a lost connection", async () => {
  const upload = `/api/chat/chats/chat_0001/files`;
  const multipart = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n';
  const cut: [string, string, string][] = [
    [messages, "application/json", '{"text":"hel'],
    // The received part may even be valid JSON.
    [messages, "application/json", '{"text":"hello"}'],
    [collection, "application/json", ""],
    [upload, "multipart/form-data; boundary=x", multipart],
  ];
  for (const [path, type, body] of cut) {
    const headers = { "content-type": type, "content-length": "200" };
    await expectRefused(postRaw(path, body || null, headers), "service_unavailable", body);
  }
  expect(writes()).toEqual([]);
});

test("forwards text that is hard to render unchanged", async () => {
  for (const text of [
    "z\u0351\u0306\u030f".repeat(900),
    "\u200d".repeat(3_999).concat("a"),
    "\u202eevil",
    "\u0645\u0631\u062d\u0628\u0627",
  ]) {
    expect((await browser.post(messages, { text })).status).toBe(201);
    expect(JSON.parse(Buffer.from(writes().at(-1)?.body ?? "", "latin1").toString("utf8")).text).toBe(text);
  }
});

// One case per schema: `e2e/contract` tests the schemas themselves.
test.each<[path: string, body: object, field: string]>([
  ["/api/chat/chats", { locale: "en_US" }, "/locale"],
  ["/api/chat/chats", { userId: "cust.lukas-brandt" }, "/userId"],
  [messages, { text: " " }, "/text"],
  [messages, { text: "a", "a/b~": 1 }, "/a~1b~0"],
  [messages, { fileIds: ["file_0001", "../../x"] }, "/fileIds/1"],
  [
    collection,
    { collectionRequestId: "r", expectedVersion: 1, action: "save", values: { f: 1 } },
    "/values/f",
  ],
  [handoff, { confirmationId: "c", email: "a@b" }, "/email"],
])("rejects what the schema of %s rejects and names the field: %j", async (path, body, field) => {
  await expectRefused(browser.post(path, body), "invalid_request", undefined, field);
  expect(writes()).toEqual([]);
});

test("requires a well-formed limit and cursor, each given once", async () => {
  for (const [query, field] of [
    ["limit=51", "/limit"],
    ["limit=5&limit=6", "/limit"],
    ["cursor=", "/cursor"],
    ["cursor=a%20b", "/cursor"],
    [`cursor=${"x".repeat(2_049)}`, "/cursor"],
    ["cursor=a&cursor=b", "/cursor"],
    ["cursor=..%2F", "/cursor"],
  ]) {
    const refusal = await outcomeOf(browser.get(`${messages}?${query}`));
    expect(refusal, query?.slice(0, 30)).toMatchObject({ code: "invalid_request", field });
  }
  upstream.seen.length = 0;
  expect((await browser.get(`${messages}?limit=50&cursor=${"x".repeat(2_048)}&other=1`)).status).toBe(200);
  expect(upstream.seen.at(-1)?.url).toBe(
    `/v1/channels/${testChannelKey}/chats/chat_0001/messages?limit=50&cursor=${"x".repeat(2_048)}`,
  );
});
