import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createFailureOf } from "../failure.ts";
import { chatId } from "../testing/builders.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { storeUntil } from "../until.ts";
import { emptyConversation } from "./state.ts";
import { createChatStore } from "./store.ts";

const aStore = (browser = memoryBrowser()) =>
  createChatStore(emptyConversation({ chatId, createKey: "create-0000-1" }), {
    browser,
    failureOf: createFailureOf(),
  });

test("tells of several changes once, after its followers have completed them", () => {
  const store = aStore();
  const heard: boolean[] = [];
  store.follow(() => store.set({ isLasting: !store.getState().leads }));
  store.subscribe(() => void heard.push(store.getState().isLasting));
  store.batch(() => {
    store.set({ leads: true });
    store.set({ hasConsent: false });
  });
  expect(heard).toEqual([false]);
});

test("tells of what a listener changes when all have heard of the change before", () => {
  const store = aStore();
  const heard: string[] = [];
  store.subscribe(() => {
    heard.push(`first: ${store.getState().leads}`);
    store.set({ leads: true });
    heard.push("first ends");
  });
  store.subscribe(() => void heard.push("second"));
  store.set({ hasConsent: false });
  expect(heard).toEqual(["first: false", "first ends", "second", "first: true", "first ends", "second"]);
});

test("tells of frequent changes with the next frame, also of those in a batch", () => {
  const frames: (() => void)[] = [];
  const beforeFrame = (act: () => void) => {
    frames.push(act);
    return () => undefined;
  };
  const store = aStore(memoryBrowser({ isVisible: () => true, beforeFrame }));
  let heard = 0;
  store.subscribe(() => {
    heard += 1;
  });
  store.batch(() => store.set({ uploads: [] }, true));
  store.set({ uploads: [] }, true);
  expect([heard, frames.length]).toEqual([0, 1]);
  frames[0]?.();
  expect(heard).toBe(1);
});

test("a former owner's chats change nothing in the store that the next owner uses", () => {
  const store = aStore();
  const ofFormer = storeUntil(AbortSignal.abort(), store);
  const before = store.getState();
  const other = { chatId: "chat_of_another", createKey: "create-0000-2" };
  ofFormer.show(other);
  ofFormer.enter("guest", other);
  ofFormer.set({ leads: true });
  ofFormer.dispatch({ type: "chat_found", chatId: other.chatId });
  ofFormer.apply(before.conversation, { type: "chat_found", chatId: other.chatId });
  expect(store.getState()).toBe(before);
});

test("the chat's signal forgets listeners that have left", () => {
  const { signal } = new AbortController();
  const ofChat = storeUntil(signal, aStore());
  for (let count = 0; count < 3; count += 1) ofChat.subscribe(() => undefined)();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
