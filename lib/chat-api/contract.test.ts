/** Tests of the contract's tables and schemas that `e2e/contract` does not make over HTTP. */
import fc from "fast-check";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { Chat } from "./chat.ts";
import { Collection } from "./collection.ts";
import {
  bffErrorCodes,
  ChatApiError,
  type ChatApiErrorCode,
  chatApiErrorCodes,
  errorRules,
  globalErrorCodes,
} from "./errors.ts";
import { Message } from "./message.ts";
import { operationContracts } from "./operation-contracts.ts";
import { HandoffBody } from "./operations/handoff.ts";
import { SubmitCollectionBody } from "./operations/submit-collection.ts";
import { type OperationName, operationNames, operationPath } from "./operations.ts";
import { jsonPointer, parseRequest } from "./parse-request.ts";
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

test("leaves none of the specification's codes unused", () => {
  type Used =
    | (typeof operationContracts)[OperationName]["errors"][number]
    | (typeof globalErrorCodes)[number];
  expectTypeOf<Used | "not_found" | "method_not_allowed">().toEqualTypeOf<ChatApiErrorCode>();
  const used = new Set<string>([...globalErrorCodes, "not_found", "method_not_allowed"]);
  for (const { errors } of Object.values(operationContracts)) for (const code of errors) used.add(code);
  expect(chatApiErrorCodes.filter((code) => !used.has(code))).toEqual([]);
});

test("keeps the idempotency key after every code that is retried automatically", () => {
  for (const rule of Object.values(errorRules))
    if (rule.retry === "after_delay") expect(rule.nextKey).toBe("keep");
});

test("has nine operations and percent-encodes IDs in their paths", () => {
  expect(operationNames).toHaveLength(9);
  expect(operationPath("downloadFile", { chatId: "chat_0001", fileId: "../x" })).toBe(
    "/chats/chat_0001/files/..%2Fx",
  );
  expect(() => operationPath("getChat")).toThrow(TypeError);
});

test("rejects an expectedVersion that is not a safe non-negative integer", () => {
  for (const expectedVersion of [-1, 1.5, 2 ** 53, "1", null]) {
    expect(
      refusal(SubmitCollectionBody, { collectionRequestId: null, expectedVersion, action: "save" }).field,
    ).toBe("/expectedVersion");
  }
});

test("requires a local part and a dotted domain in email addresses", () => {
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

test("accepts echoed values without a length limit of their own", () => {
  const given = `conf:${"x".repeat(20_000)} é/+=%`;
  expect(parseRequest(HandoffBody, { confirmationId: given }).confirmationId).toBe(given);
  const submission = { collectionRequestId: given, expectedVersion: 1, action: "save" };
  expect(parseRequest(SubmitCollectionBody, submission).collectionRequestId).toBe(given);
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

test("converts every response schema to JSON Schema", () => {
  for (const schemas of Object.values(operationContracts)) {
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
