import { expect, test } from "vitest";
import type { CollectionValue } from "../../chat-api/collection.ts";
import { withSessionStorage } from "../testing/session-storage.ts";
import { formEnd, keepFormEnd } from "./form-end.ts";

withSessionStorage();

const askedAt = "2026-06-02T09:00:00.000Z";

function anAnswer(overrides: Partial<CollectionValue> = {}): CollectionValue {
  const updatedAt = "2026-06-02T09:05:00.000Z";
  return { fieldId: "size", value: "52", status: "accepted", actor: "visitor", updatedAt, ...overrides };
}

test("remembers how the form ended in this tab until it is open again", () => {
  keepFormEnd("chat_number_1", "request-1", "cancel");
  expect(formEnd("chat_number_1", "request-1", [anAnswer()], askedAt)).toBe("cancel");
  expect(formEnd("chat_number_1", "request-2", [], askedAt)).toBeNull();
  expect(formEnd("chat_number_2", "request-1", [], askedAt)).toBeNull();
  keepFormEnd("chat_number_1", "request-1", null);
  expect(formEnd("chat_number_1", "request-1", [], askedAt)).toBeNull();
});

test("counts a form as sent elsewhere once it has an answer newer than its request", () => {
  const end = (...answers: (CollectionValue | null)[]) => formEnd("chat_number_1", "r", answers, askedAt);
  expect(end(null, anAnswer())).toBe("save");
  expect(end(anAnswer({ updatedAt: "2026-06-02T08:00:00.000Z" }))).toBeNull();
  expect(end(anAnswer({ actor: "teammate" }))).toBeNull();
  expect(end(anAnswer({ status: "declined", value: null }))).toBeNull();
  expect(end(null)).toBeNull();
  expect(formEnd("chat_number_1", "r", [anAnswer()], null)).toBe("save");
});
