import { expect, test } from "vitest";
import { failure } from "./failure.ts";
import { bodyOf, keepsKey, parseOutbox, putRecord, recordsOf, removeRecord } from "./outbox.ts";
import { aFile, aRecord } from "./testing/builders.ts";

test("a record survives the browser's storage whole", () => {
  const record = aRecord({
    files: [aFile()],
    refusal: failure("chat_closed", { requestId: "req_1", isListed: false }),
  });
  expect(parseOutbox(JSON.stringify([record]))).toEqual([record]);
});

test("an outbox that somebody else wrote is dropped, item by item", () => {
  const record = aRecord();
  const strange = [null, 7, "x", {}, { ...record, key: "short" }, { ...record, chatId: "../admin" }, record];
  expect(parseOutbox(JSON.stringify(strange))).toEqual([record]);
  expect(parseOutbox("{")).toEqual([]);
  expect(parseOutbox('{"key":1}')).toEqual([]);
  expect(parseOutbox(null)).toEqual([]);
});

test("a refusal with a code that is no code is no refusal", () => {
  const stored = JSON.stringify([{ ...aRecord(), refusal: { code: "constructor" } }]);
  expect(parseOutbox(stored)[0]?.refusal).toBeNull();
});

test("what the customer wrote is kept, however old it is", () => {
  const record = aRecord({ createdAt: 0, refusal: failure("outdated") });
  expect(parseOutbox(JSON.stringify([record]))).toEqual([record]);
});

test("records stand in the order in which they were written, and one key stands once", () => {
  const first = aRecord({ createdAt: 1 });
  const second = aRecord({ createdAt: 2 });
  const records = putRecord(putRecord([], second), first);
  expect(records).toEqual([first, second]);
  expect(putRecord(records, { ...first, attempted: false })).toHaveLength(2);
  expect(removeRecord(records, first.key)).toEqual([second]);
});

test("a chat's records include those that wait for it to be created", () => {
  const waiting = aRecord({ chatId: null, createKey: "create-a-1" });
  const other = aRecord({ chatId: "chat_other_1", createKey: "create-a-1" });
  const records = [waiting, other];
  expect(recordsOf(records, { chatId: null, createKey: "create-a-1" })).toEqual([waiting, other]);
  expect(recordsOf(records, { chatId: "chat_gallery_1", createKey: "create-a-1" })).toEqual([waiting]);
  expect(recordsOf(records, { chatId: "chat_other_1", createKey: "create-b-1" })).toEqual([other]);
});

test("a record gives the same body at every attempt", () => {
  const file = aFile();
  expect(bodyOf(aRecord({ text: "Hello" }))).toEqual({ text: "Hello" });
  expect(bodyOf(aRecord({ text: "", files: [file] }))).toEqual({ fileIds: [file.id] });
});

test("a lost connection keeps the key, a message that stands under it does not", () => {
  expect(keepsKey(failure("connection_lost"))).toBe(true);
  expect(keepsKey(failure("internal_error"))).toBe(true);
  expect(keepsKey(failure("outdated"))).toBe(true);
  expect(keepsKey(failure("operation_interrupted"))).toBe(false);
});
