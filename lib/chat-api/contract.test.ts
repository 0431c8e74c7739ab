import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { Chat, CreateChatBody } from "./chat.ts";
import { Collection, SubmitCollectionBody } from "./collection.ts";
import { bffErrorCodes, ChatApiError, chatApiErrorCodes, errorRules, globalErrorCodes } from "./errors.ts";
import { HandoffBody } from "./handoff.ts";
import { ListMessagesQuery, Message, SendMessageBody } from "./message.ts";
import { operationSchemas } from "./operation-schemas.ts";
import { operationNames, operationPath, operations } from "./operations.ts";
import { jsonPointer, parseIdempotencyKey, parseJsonObject, parseRequest } from "./parse-request.ts";
import { aChat, aMessage } from "./testing/builders.ts";
import { encodeTurnEvent } from "./turn-events.ts";

function refusal(schema: z.ZodType, value: unknown): ChatApiError {
  try {
    parseRequest(schema, value);
  } catch (error) {
    if (error instanceof ChatApiError) return error;
    throw error;
  }
  throw new Error("expected a ChatApiError");
}

const chat = aChat({ userId: "m@7" });

test("lists the specification's 38 codes and the BFF's four", () => {
  expect(chatApiErrorCodes).toHaveLength(38);
  expect(bffErrorCodes.toSorted()).toEqual(
    ["chat_unavailable", "request_not_allowed", "session_required", "upstream_unreachable"].toSorted(),
  );
});

test("assigns each code to operations, to all of them, or to unknown paths and methods", () => {
  const used = new Set<string>([...globalErrorCodes, "not_found", "method_not_allowed"]);
  for (const operation of Object.values(operations)) for (const code of operation.errors) used.add(code);
  expect(chatApiErrorCodes.filter((code) => !used.has(code))).toEqual([]);
});

test("keeps the key of codes that are retried automatically", () => {
  for (const rule of Object.values(errorRules))
    if (rule.retry === "after_delay") expect(rule.nextKey).toBe("keep");
});

test("gives all nine operations a path, a schema and known errors", () => {
  expect(operationNames).toHaveLength(9);
  expect(Object.keys(operationSchemas).toSorted()).toEqual(operationNames.toSorted());
  expect(operationPath("downloadFile", { chatId: "chat_0001", fileId: "../x" })).toBe(
    "/chats/chat_0001/files/..%2Fx",
  );
  expect(() => operationPath("getChat")).toThrow(TypeError);
});

test("counts text in UTF-16 code units", () => {
  expect(parseRequest(SendMessageBody, { text: "😀".repeat(2_000) }).text).toHaveLength(4_000);
  expect(refusal(SendMessageBody, { text: "😀".repeat(2_001) }).field).toBe("/text");
  expect(refusal(SendMessageBody, { text: "a".repeat(4_001) }).field).toBe("/text");
});

test("rejects blank text, except beside files", () => {
  for (const blank of ["", " ", "\n\t", "\u00a0", "\u3000", "\ufeff"]) {
    expect(refusal(SendMessageBody, { text: blank }).code).toBe("invalid_request");
    expect(parseRequest(SendMessageBody, { text: blank, fileIds: ["file_0001"] }).text).toBe(blank);
  }
  expect(parseRequest(SendMessageBody, { text: "\u200b" }).text).toBe("\u200b");
});

test("rejects text that cannot be stored unchanged", () => {
  for (const text of ["a\u0000", "\ud800", "\udc00x"])
    expect(refusal(SendMessageBody, { text }).field).toBe("/text");
});

test("accepts 1 to 4 files without duplicates", () => {
  const ids = ["file_0001", "file_0002", "file_0003", "file_0004"];
  expect(parseRequest(SendMessageBody, { fileIds: ids }).fileIds).toEqual(ids);
  expect(refusal(SendMessageBody, { fileIds: [] }).field).toBe("/fileIds");
  expect(refusal(SendMessageBody, { fileIds: [...ids, "file_0005"] }).field).toBe("/fileIds");
  expect(refusal(SendMessageBody, { fileIds: ["file_0001", "file_0001"] }).field).toBe("/fileIds");
  expect(refusal(SendMessageBody, { fileIds: ["file_0001", "no"] }).field).toBe("/fileIds/1");
  expect(refusal(SendMessageBody, {}).code).toBe("invalid_request");
  expect(refusal(SendMessageBody, { text: null }).field).toBe("/text");
});

test("rejects unknown properties, even names from Object.prototype", () => {
  expect(refusal(CreateChatBody, { "a/b~c": 1 }).field).toBe("/a~1b~0c");
  expect(refusal(SendMessageBody, { text: "x", extra: 1 }).field).toBe("/extra");
  expect(refusal(CreateChatBody, JSON.parse('{"__proto__":{"userId":"abcdefgh"}}')).field).toBe("/__proto__");
  expect(refusal(CreateChatBody, { constructor: 1 }).field).toBe("/constructor");
});

test("accepts BCP 47 tags as locales", () => {
  for (const locale of ["en", "de-CH", "EN-latn-US"])
    expect(parseRequest(CreateChatBody, { locale }).locale).toBe(locale);
  for (const locale of ["e", "en_US", "en-", "", `en${"-abcdefgh".repeat(7)}`, ["en"]]) {
    expect(refusal(CreateChatBody, { locale }).field).toMatch(/^\/locale/);
  }
});

test("checks a userId in requests strictly and in responses loosely", () => {
  expect(refusal(CreateChatBody, { userId: "m@7" }).field).toBe("/userId");
  expect(Chat.parse(chat).userId).toBe("m@7");
});

test("keeps answers under names from Object.prototype", () => {
  const body = parseRequest(
    SubmitCollectionBody,
    JSON.parse(
      '{"collectionRequestId":null,"expectedVersion":0,"action":"save","values":{"__proto__":"a","constructor":"b","toString":"c"}}',
    ),
  );
  expect([...(body.values ?? [])]).toEqual([
    ["__proto__", "a"],
    ["constructor", "b"],
    ["toString", "c"],
  ]);
});

test("accepts at most 20 answers, strings of at most 2,000 units", () => {
  const base = { collectionRequestId: "r", expectedVersion: 1, action: "save" };
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, "x"]));
  expect(refusal(SubmitCollectionBody, { ...base, values: many }).field).toBe("/values");
  expect(refusal(SubmitCollectionBody, { ...base, values: { a: "x".repeat(2_001) } }).field).toBe(
    "/values/a",
  );
  for (const value of [null, 1, {}, ["x"]]) {
    expect(refusal(SubmitCollectionBody, { ...base, values: { a: value } }).field).toBe("/values/a");
  }
  expect(refusal(SubmitCollectionBody, { ...base, values: [] }).field).toBe("/values");
  let deep: unknown = "x";
  for (let level = 0; level < 16_000; level += 1) deep = [deep];
  expect(refusal(SubmitCollectionBody, { ...base, values: { a: deep } }).field).toBe("/values/a");
});

test("accepts an expectedVersion up to the largest safe integer", () => {
  for (const expectedVersion of [-1, 1.5, 2 ** 53, "1", null]) {
    expect(
      refusal(SubmitCollectionBody, { collectionRequestId: null, expectedVersion, action: "save" }).field,
    ).toBe("/expectedVersion");
  }
});

test("requires a local part and a dotted domain in e-mail addresses", () => {
  for (const email of [
    "ana@example.com",
    "a.b+c@sub.example.co.uk",
    "jörg@müller.example",
    "用户@例子.广告",
  ]) {
    expect(parseRequest(HandoffBody, { confirmationId: "c", email }).email).toBe(email);
  }
  for (const email of [
    "a@b",
    "@example.com",
    "a b@example.com",
    "a@example.com\nbcc:x",
    "a@b@example.com",
    ".a@example.com",
    "a..b@example.com",
    `${"a".repeat(64)}@${"b".repeat(250)}.com`,
    "a@-x.com",
  ]) {
    expect(refusal(HandoffBody, { confirmationId: "c", email }).field).toBe("/email");
  }
});

test("accepts echoed values as long as the body limit allows", () => {
  const given = `conf:${"x".repeat(20_000)} é/+=%`;
  expect(parseRequest(HandoffBody, { confirmationId: given }).confirmationId).toBe(given);
  const submission = { collectionRequestId: given, expectedVersion: 1, action: "save" };
  expect(parseRequest(SubmitCollectionBody, submission).collectionRequestId).toBe(given);
});

test("accepts a limit from 1 to 50 in plain digits", () => {
  expect(parseRequest(ListMessagesQuery, { limit: "50" }).limit).toBe(50);
  for (const limit of ["0", "51", "1e1", " 5", "５", "-1", "", "05", ["1", "2"]]) {
    expect(refusal(ListMessagesQuery, { limit }).field).toBe("/limit");
  }
});

test("drops unknown fields, defaults absent ones and maps unknown enum values", () => {
  expect(Chat.parse({ ...chat, mode: "paused", later: 1 })).toEqual({ ...chat, mode: "agent" });
  const message = Message.parse({ id: "m", chatId: "chat_0001", role: "bot", text: "hi" });
  expect(message).toEqual(aMessage({ id: "m", role: "system", text: "hi", createdAt: null }));
  const citations = Array.from({ length: 21 }, () => ({ title: "t", url: null, updatedAt: null }));
  expect(Message.parse({ ...message, citations }).citations).toHaveLength(20);
});

test("rejects resources without required fields or with an unsafe ID", () => {
  expect(Message.safeParse({ id: "m", chatId: "c" }).success).toBe(false);
  expect(Chat.safeParse({ ...chat, id: "../../x" }).success).toBe(false);
  expect(Collection.safeParse({ version: "1" }).success).toBe(false);
});

test("accepts one JSON object in UTF-8 as a body", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(parseJsonObject(bytes('{"a":1}'))).toEqual({ a: 1 });
  for (const text of ["[]", '"x"', "null", "1", "{", "", "\ufeff{}", "{}{}", '{"a":1,}']) {
    expect(() => parseJsonObject(bytes(text))).toThrow(expect.objectContaining({ code: "invalid_json" }));
  }
  expect(() => parseJsonObject(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))).toThrow(
    ChatApiError,
  );
});

test("accepts idempotency keys of 8 to 128 plain characters", () => {
  expect(parseIdempotencyKey("abcdefg1")).toBe("abcdefg1");
  for (const key of [
    null,
    undefined,
    "",
    "abcdefg",
    "a".repeat(129),
    "clé-12345",
    "abcdefgh, ijklmnop",
    "abcdefgh\r\n",
  ]) {
    expect(() => parseIdempotencyKey(key)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  }
});

test("writes an event as one data line, whatever its text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const lines = encodeTurnEvent({ type: "delta", text }).split("\n");
      expect(lines).toHaveLength(4);
      expect(JSON.parse(lines[1]?.slice("data: ".length) ?? "")).toEqual({ text });
    }),
  );
});

test("escapes JSON pointers as RFC 6901 says", () => {
  expect(jsonPointer([])).toBe("");
  expect(jsonPointer(["a~/b", 0])).toBe("/a~0~1b/0");
});

test("has a JSON Schema for every schema, for the API description", () => {
  for (const schemas of Object.values(operationSchemas)) {
    if ("response" in schemas)
      expect(z.toJSONSchema(schemas.response, { io: "output" })).toHaveProperty("type");
  }
});

test("recognises an error from another copy of the module", async () => {
  const address = new URL("./errors.ts", import.meta.url);
  address.searchParams.set("copy", "2");
  const copy: typeof import("./errors.ts") = await import(address.href);
  expect(copy.ChatApiError).not.toBe(ChatApiError);
  expect(new copy.ChatApiError("chat_closed")).toBeInstanceOf(ChatApiError);
  expect(new Error("chat_closed")).not.toBeInstanceOf(ChatApiError);
  expect(null).not.toBeInstanceOf(ChatApiError);
});
