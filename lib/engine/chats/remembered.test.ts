import { expect, test } from "vitest";
import { aChat } from "../testing/builders.ts";
import { browserTabs, memoryStorage } from "../testing/memory-storage.ts";
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
  remembered.opened(other.chatId);
  remembered.seen(other.chatId, "message_1");
  remembered.setCurrent(other);
  remembered.forget(other.chatId);
  expect(remembered.chats()).toEqual([]);
  expect(remembered.current()).toEqual(other);
  expect(storage.names("")).toEqual(["current"]);
});

test("remembers thirty chats, the latest first", () => {
  const storage = memoryStorage();
  const remembered = createRemembered(storage);
  for (let n = 0; n < 40; n += 1) {
    remembered.opened(`chat_number_${n}`, n);
    remembered.seen(`chat_number_${n}`, "message_1");
  }
  expect(remembered.chats()).toHaveLength(30);
  expect(remembered.chats()[0]?.chatId).toBe("chat_number_39");
  expect(storage.names("seen:")).toHaveLength(30);
});

test("adds chats of other devices between those known here, in the server's order", () => {
  const remembered = createRemembered(memoryStorage());
  const hourAgo = Date.now() - 3_600_000;
  remembered.opened("chat_here", hourAgo);
  expect(remembered.add(["chat_new", "chat_here", "chat_old"])).toEqual(["chat_new", "chat_old"]);
  const times = new Map(remembered.chats().map(({ chatId, openedAt }) => [chatId, openedAt]));
  expect([...times.keys()]).toEqual(["chat_new", "chat_here", "chat_old"]);
  expect(times.get("chat_old")).toBe(hourAgo - 1);
});

test("adds no chat that was taken off the list on this page", () => {
  const remembered = createRemembered(memoryStorage());
  remembered.add([chat.id]);
  remembered.forget(chat.id);
  expect(remembered.add([chat.id])).toEqual([]);
  expect(remembered.chats()).toEqual([]);
});

test("two tabs note different things of the same chats without losing either", () => {
  const { tabs, deliver } = browserTabs(2);
  const [one, other] = tabs.map((storage) => createRemembered(storage));
  one?.opened(chat.id, 1);
  deliver();
  one?.opened("chat_00000003", 3);
  one?.seen(chat.id, "message_1");
  other?.opened("chat_00000004", 4);
  other?.changed({ ...chat, mode: "teammate" });
  deliver();
  const all = [
    { chatId: "chat_00000004", openedAt: 4, seenId: null, awaitsTeam: false, isClosed: false },
    { chatId: "chat_00000003", openedAt: 3, seenId: null, awaitsTeam: false, isClosed: false },
    { chatId: chat.id, openedAt: 1, seenId: "message_1", awaitsTeam: true, isClosed: false },
  ];
  expect([one?.chats(), other?.chats()]).toEqual([all, all]);
});
