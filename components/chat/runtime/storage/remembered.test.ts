import { expect, test } from "vitest";
import { aChat } from "../../../../lib/conversation/testing/builders.ts";
import { memoryStorage } from "../testing/memory-storage.ts";
import { createRemembered } from "./remembered.ts";

const unstarted = { chatId: null, createKey: "create-0000-1" };
const chat = aChat();
const started = { chatId: chat.id, createKey: unstarted.createKey };
const other = { chatId: "chat_00000002", createKey: "create-0000-2" };

test("returns once to a conversation that was left before its first message", () => {
  const remembered = createRemembered(memoryStorage());
  remembered.setCurrent(unstarted);
  remembered.setCurrent(other);
  expect(remembered.takeUnstarted()).toEqual(unstarted);
  expect(remembered.takeUnstarted()).toBeNull();
});

test("a conversation keeps its draft and stays current when its chat is created", () => {
  const remembered = createRemembered(memoryStorage());
  const draft = { text: "and in red?", files: [], lost: ["red.png"] };
  remembered.setCurrent(unstarted);
  remembered.setDraft(unstarted, draft);
  remembered.adopt(unstarted, chat);
  expect(remembered.current()).toEqual(started);
  expect(remembered.draft(started)).toEqual(draft);
  expect(remembered.draft(unstarted).text).toBe("");
  expect(remembered.chats().map(({ chatId }) => chatId)).toEqual([chat.id]);
});

test("records a chat created in the background without showing it", () => {
  const remembered = createRemembered(memoryStorage());
  remembered.setCurrent(unstarted);
  remembered.setCurrent(other);
  remembered.adopt(unstarted, chat);
  expect(remembered.current()).toEqual(other);
  expect(remembered.takeUnstarted()).toBeNull();
});

test("takes a chat off the list but keeps it as the current one", () => {
  const storage = memoryStorage();
  const remembered = createRemembered(storage);
  remembered.change(other.chatId, { openedAt: 1 });
  remembered.setCurrent(other);
  storage.write(`pages:${other.chatId}`, "[null]");
  remembered.forget(other.chatId);
  expect(remembered.chats()).toEqual([]);
  expect(remembered.current()).toEqual(other);
  expect(storage.read(`pages:${other.chatId}`)).toBeNull();
});
