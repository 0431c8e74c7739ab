import { expect, test } from "vitest";
import { isSameConversation } from "../conversation-ref.ts";
import { attachmentProblem } from "../state/attachments.ts";
import { aFile } from "../testing/builders.ts";
import { emptyDraft, joinDrafts, parseDraft } from "./draft.ts";
import { parseChat, parseConversationRef } from "./remembered.ts";

test("clamps stored times to those that a Date can hold", () => {
  for (const openedAt of [1e300, -1e300, Number.MAX_VALUE]) {
    const chat = parseChat({ chatId: "chat_number_1", openedAt });
    expect(new Date(chat?.openedAt ?? Number.NaN).toISOString()).toMatch(/^[+-]\d{6}-/);
  }
});

test("ignores stored chats with invalid IDs", () => {
  for (const stored of [{ chatId: "../x" }, { chatId: 7 }, 3]) expect(parseChat(stored)).toBeNull();
  expect(parseConversationRef('{"chatId":"../x","createKey":"create-0000-1"}')).toBeNull();
  expect(parseConversationRef('{"chatId":null,"createKey":"create-0000-1"}')).toEqual({
    chatId: null,
    createKey: "create-0000-1",
  });
});

test("treats a conversation as the same one after its chat is created", () => {
  const unstarted = { chatId: null, createKey: "create-0000-1" };
  expect(isSameConversation(unstarted, { chatId: "chat_1", createKey: "create-0000-1" })).toBe(true);
  expect(isSameConversation({ chatId: "chat_1", createKey: "a" }, { chatId: "chat_1", createKey: "b" })).toBe(
    true,
  );
  expect(isSameConversation({ chatId: "chat_1", createKey: "a" }, { chatId: "chat_2", createKey: "a" })).toBe(
    false,
  );
});

test("keeps only the names of a draft's expired files", () => {
  const [kept, gone] = [
    aFile({ expiresAt: "2026-06-03T00:00:00.000Z" }),
    aFile({ expiresAt: "2026-06-01T00:00:00.000Z" }),
  ];
  const stored = JSON.stringify({ text: "Hello", files: [kept, gone], lost: ["b.txt", 7] });
  expect(parseDraft(stored, Date.parse("2026-06-02T00:00:00.000Z"))).toEqual({
    text: "Hello",
    files: [kept],
    lost: ["b.txt", gone.filename],
  });
});

test("puts a returned text before newly typed text", () => {
  const first = { ...emptyDraft, text: "First" };
  expect(joinDrafts({ ...emptyDraft, text: "and this" }, first).text).toBe("First\nand this");
  expect(joinDrafts({ ...emptyDraft, text: " " }, first).text).toBe("First");
});

test("rejects empty, large, excess and unsupported files before the upload", () => {
  const file = { type: "image/png", size: 1 };
  expect(attachmentProblem(file, 0)).toBeNull();
  expect(attachmentProblem(file, 4)).toBe("too_many");
  expect(attachmentProblem({ ...file, size: 0 }, 0)).toBe("empty");
  expect(attachmentProblem({ ...file, size: 4_194_304 }, 0)).toBeNull();
  expect(attachmentProblem({ ...file, size: 4_194_305 }, 0)).toBe("too_large");
  expect(attachmentProblem({ ...file, type: "" }, 0)).toBe("wrong_type");
});
