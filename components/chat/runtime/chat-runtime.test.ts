import { expect, onTestFinished, test, vi } from "vitest";
import { aMessage } from "#lib/conversation/testing/builders.ts";
import { createChatRuntime } from "./chat-runtime.ts";
import { createTabs } from "./tabs.ts";
import { memoryStorage } from "./testing/memory-storage.ts";

/** A chat of a browser whose server does not answer. `hear` tells the page of an event. */
function aChatPage() {
  const listeners = new Map<string, () => void>();
  vi.stubGlobal("window", {
    addEventListener: (name: string, listener: () => void) => void listeners.set(name, listener),
    removeEventListener: () => undefined,
  });
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const tabs = createTabs();
  const session = { start: async () => null, settled: async () => undefined };
  const storage = memoryStorage();
  const runtime = createChatRuntime({ storage, tab: { tabs, session }, locale: "en" });
  onTestFinished(() => {
    runtime.close();
    tabs.close();
    vi.unstubAllGlobals();
  });
  return { runtime, storage, hear: (name: string) => listeners.get(name)?.() };
}

test("a wait that the server asked for ends with the network's return, not with news of the chat", async () => {
  const { runtime, hear } = aChatPage();
  const ended = vi.fn();
  void runtime.sleep(60_000).then(ended);
  runtime.publish(runtime.getState(), { type: "news_read", messages: [aMessage()] });
  await new Promise(setImmediate);
  expect(ended).not.toHaveBeenCalled();
  hear("online");
  await new Promise(setImmediate);
  expect(ended).toHaveBeenCalled();
});

test("a chat that is taken off the page leaves what was begun in it to the next, whoever that is", () => {
  const { runtime, storage } = aChatPage();
  runtime.send({ text: "a whole question", files: [] });
  runtime.setDraft({ text: "half a question", files: [] });
  const { createKey } = runtime.getState();
  const kept = () => `${storage.read("outbox")} ${storage.read(`draft:${createKey}`)}`;
  runtime.close();
  expect(kept()).toContain("a whole question");
  expect(kept()).toContain("half a question");
  const { text, records } = runtime.takeBegun();
  expect([text, ...records.map((record) => record.text)]).toEqual(["half a question", "a whole question"]);
  expect(kept()).toBe("null null");
});

test("a chat that comes on screen again has no mark before what was read then", () => {
  const { runtime } = aChatPage();
  const [seen, last] = [aMessage(), aMessage()];
  runtime.open("chat_00000001");
  const first = runtime.getState();
  runtime.publish(first, { type: "end_read", messages: [seen, last], hasOlder: false, seenId: seen.id });
  expect(runtime.getState().unreadAfterId).toBe(seen.id);
  runtime.markSeen(last.id);
  runtime.open(null);
  runtime.open("chat_00000001");
  expect(runtime.getState().messages).toEqual([seen, last]);
  expect(runtime.getState().unreadAfterId).toBeNull();
});
