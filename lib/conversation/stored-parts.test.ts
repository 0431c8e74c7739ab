import { expect, test } from "vitest";
import { bffErrorCodes, chatApiErrorCodes } from "#lib/chat-api/errors.ts";
import { attachmentFault, mediaTypeOf, shownName } from "./attachments.ts";
import { forget, parseChatList, parseConversationRef, parsePageStarts, remember } from "./chat-list.ts";
import { isSameConversation } from "./conversation-ref.ts";
import { joinDrafts, parseDraft } from "./draft.ts";
import { pollInterval } from "./polling.ts";
import { remedyFor } from "./remedies.ts";
import { aFile } from "./testing/builders.ts";

test("the latest chat stands first, and thirty are remembered", () => {
  let chats = parseChatList(null);
  for (let n = 0; n < 40; n += 1) chats = remember(chats, `chat_number_${n}`, { openedAt: n });
  expect(chats).toHaveLength(30);
  expect(chats[0]?.chatId).toBe("chat_number_39");
  expect(parseChatList(JSON.stringify(chats))).toEqual(chats);
  expect(forget(chats, "chat_number_39")).toHaveLength(29);
});

test("a change of one thing keeps the others", () => {
  const chats = remember(remember([], "chat_number_1", { seenId: "m1" }), "chat_number_1", {
    awaitsTeam: true,
  });
  expect(chats).toEqual([
    { chatId: "chat_number_1", openedAt: 0, seenId: "m1", awaitsTeam: true, isClosed: false },
  ]);
});

test("a chat was opened on a day that there is, whatever others have stored", () => {
  for (const openedAt of [1e300, -1e300, Number.MAX_VALUE]) {
    const [chat] = parseChatList(JSON.stringify([{ chatId: "chat_number_1", openedAt }]));
    expect(new Date(chat?.openedAt ?? Number.NaN).toISOString()).toMatch(/^[+-]\d{6}-/);
  }
});

test("what is stored by others is not opened", () => {
  expect(parseChatList('[{"chatId":"../x"},{"chatId":7},3]')).toEqual([]);
  expect(parseConversationRef('{"chatId":"../x","createKey":"create-0000-1"}')).toBeNull();
  expect(parseConversationRef('{"chatId":null,"createKey":"create-0000-1"}')).toEqual({
    chatId: null,
    createKey: "create-0000-1",
  });
});

test("page starts are a whole chain or none", () => {
  expect(parsePageStarts(null)).toEqual([null]);
  expect(parsePageStarts('[null,"abc"]')).toEqual([null, "abc"]);
  expect(parsePageStarts('[null,"a b"]')).toEqual([null]);
  expect(parsePageStarts('["abc"]')).toEqual([null]);
});

test("a conversation is the same before and after its chat is created", () => {
  const unborn = { chatId: null, createKey: "create-0000-1" };
  expect(isSameConversation(unborn, { chatId: "chat_1", createKey: "create-0000-1" })).toBe(true);
  expect(isSameConversation({ chatId: "chat_1", createKey: "a" }, { chatId: "chat_1", createKey: "b" })).toBe(
    true,
  );
  expect(isSameConversation({ chatId: "chat_1", createKey: "a" }, { chatId: "chat_2", createKey: "a" })).toBe(
    false,
  );
});

test("a draft loses files that the server has deleted", () => {
  const [kept, gone] = [
    aFile({ expiresAt: "2026-06-03T00:00:00.000Z" }),
    aFile({ expiresAt: "2026-06-01T00:00:00.000Z" }),
  ];
  const stored = JSON.stringify({ text: "Hello", files: [kept, gone] });
  expect(parseDraft(stored, Date.parse("2026-06-02T00:00:00.000Z"))).toEqual({
    text: "Hello",
    files: [kept],
  });
});

test("a text that comes back stands before what was typed meanwhile", () => {
  const typed = { text: "and this", files: [] };
  expect(joinDrafts(typed, { text: "First", files: [] }).text).toBe("First\nand this");
  expect(joinDrafts({ text: " ", files: [] }, { text: "First", files: [] }).text).toBe("First");
});

test("a file is checked before it is uploaded", () => {
  const file = { name: "a.png", type: "image/png", size: 1 };
  expect(attachmentFault(file, 0)).toBeNull();
  expect(attachmentFault(file, 4)).toBe("too_many");
  expect(attachmentFault({ ...file, size: 0 }, 0)).toBe("empty");
  expect(attachmentFault({ ...file, size: 4_194_304 }, 0)).toBeNull();
  expect(attachmentFault({ ...file, size: 4_194_305 }, 0)).toBe("too_large");
  expect(attachmentFault({ ...file, type: "image/svg+xml" }, 0)).toBe("wrong_type");
});

test("a type that the browser does not know is taken from the name", () => {
  expect(mediaTypeOf({ name: "notes.TXT", type: "" })).toBe("text/plain");
  expect(mediaTypeOf({ name: "notes.txt", type: "text/plain;charset=utf-8" })).toBe("text/plain");
  expect(mediaTypeOf({ name: "x.exe", type: "" })).toBeNull();
  expect(mediaTypeOf({ name: "constructor", type: "" })).toBeNull();
});

test("#75 a name cannot pass itself off as another kind of file", () => {
  expect(shownName("\u202egnp.exe")).toBe("gnp.exe");
  expect(shownName("a\r\nb\u2066.txt")).toBe("ab.txt");
  expect(shownName("Größe 🚲.png")).toBe("Größe 🚲.png");
});

test("polling is quick with the team, slow out of sight, and ends with the chat", () => {
  const visible = { isVisible: true, isBusy: false };
  const hidden = { isVisible: false, isBusy: false };
  expect(pollInterval({ mode: "waiting", ...visible })).toBeLessThanOrEqual(3_000);
  expect(pollInterval({ mode: "teammate", ...hidden })).toBeLessThanOrEqual(30_000);
  expect(pollInterval({ mode: "agent", ...visible })).toBeGreaterThan(10_000);
  expect(pollInterval({ mode: "resolved", ...visible })).toBe(0);
  expect(pollInterval({ mode: "waiting", isVisible: true, isBusy: true })).toBe(0);
});

test("every code has a remedy", () => {
  for (const code of [...chatApiErrorCodes, ...bffErrorCodes]) {
    expect(remedyFor({ code, isListed: null }).text, code).not.toBe("");
  }
});
