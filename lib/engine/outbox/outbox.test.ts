import { expect, test } from "vitest";
import { failure } from "../failure.ts";
import { aFile, aRecord } from "../testing/builders.ts";
import { bodyOf, keepsKey, parseRecord, recordsOf } from "./outbox.ts";

test("reads a stored record back unchanged", () => {
  const record = aRecord({
    files: [aFile()],
    afterMessageId: "message_before",
    refusal: failure("chat_closed", {
      requestId: "req_1",
      isListed: true,
      mode: "resolved",
      at: 1_780_000_000_000,
      retryAfterSeconds: 30,
    }),
  });
  expect(parseRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
});

test("drops invalid records from storage", () => {
  const record = aRecord();
  for (const strange of [null, 7, "x", {}, { ...record, key: "short" }, { ...record, chatId: "../admin" }])
    expect(parseRecord(strange)).toBeNull();
});

test("sends no message by itself that another build has refused with a code of its own", () => {
  expect(parseRecord({ ...aRecord(), refusal: { code: "constructor" } })?.refusal?.code).toBe("outdated");
  const strange = { code: "chat_closed", mode: "asleep", at: "now", retryAfterSeconds: null };
  expect(parseRecord({ ...aRecord(), refusal: strange })?.refusal).toEqual(failure("chat_closed"));
});

test("includes records that wait for the chat's creation", () => {
  const waiting = aRecord({ chatId: null, createKey: "create-a-1" });
  const other = aRecord({ chatId: "chat_other_1", createKey: "create-a-1" });
  const records = [waiting, other];
  expect(recordsOf(records, { chatId: null, createKey: "create-a-1" })).toEqual([waiting, other]);
  expect(recordsOf(records, { chatId: "chat_gallery_1", createKey: "create-a-1" })).toEqual([waiting]);
  expect(recordsOf(records, { chatId: "chat_other_1", createKey: "create-b-1" })).toEqual([other]);
});

test("omits an empty text and an empty file list from the request body", () => {
  const file = aFile();
  expect(bodyOf(aRecord({ text: "Hello" }))).toEqual({ text: "Hello" });
  expect(bodyOf(aRecord({ text: "", files: [file] }))).toEqual({ fileIds: [file.id] });
});

test("keeps the key while the outcome is unknown, not after an interrupted turn", () => {
  expect(keepsKey(failure("connection_lost"))).toBe(true);
  expect(keepsKey(failure("internal_error"))).toBe(true);
  expect(keepsKey(failure("outdated"))).toBe(true);
  expect(keepsKey(failure("operation_interrupted"))).toBe(false);
});
