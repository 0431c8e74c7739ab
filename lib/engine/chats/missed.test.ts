import { expect, onTestFinished, test } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import { createChat } from "../create-chat.ts";
import { createStorages } from "../storage/storage.ts";
import { aMessage } from "../testing/builders.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";

const chatId = "chat_00000001";
const latest = `/api/chat/chats/${chatId}/messages/before`;
const seen = aMessage({ chatId });

/** A page of a browser in which this owner has a chat with one message that was on screen. */
function aPage(owner: string | null, answer: () => Promise<Response>) {
  const requests: { address: string; caller: string | null }[] = [];
  const browser = memoryBrowser({
    fetch(address, init = {}) {
      requests.push({ address, caller: new Headers(init.headers).get("x-chat-caller") });
      return answer();
    },
  });
  const storages = createStorages(browser, defaultBasePath);
  if (owner !== null) {
    storages.setOwner(owner);
    const stored = {
      current: JSON.stringify({ chatId, createKey: "create-0000-1" }),
      [`chat:${chatId}`]: "1",
      [`seen:${chatId}`]: seen.id,
    };
    for (const [name, value] of Object.entries(stored)) storages.of(owner).write(name, value);
  }
  const chat = createChat({ api: "/api/chat", locale: "en", browser });
  onTestFinished(chat.close);
  return { chat, storages, requests, browser };
}

const messages = [
  seen,
  aMessage({ chatId }),
  aMessage({ chatId, role: "visitor" }),
  aMessage({ chatId, role: "teammate" }),
];
const answer = async () => Response.json({ items: messages, nextCursor: null });

test("counts what a customer has missed with one request, in their name", async () => {
  for (const owner of ["guest", "tag-of-42"]) {
    const { chat, requests } = aPage(owner, answer);
    expect(await new Promise(chat.peek)).toBe(2);
    expect(requests).toEqual([{ address: latest, caller: owner === "guest" ? null : owner }]);
  }
});

test("asks nothing for a visitor without a chat", async () => {
  const { chat, storages, requests } = aPage(null, answer);
  chat.peek(() => undefined);
  storages.setOwner("guest");
  chat.peek(() => undefined);
  expect(requests).toEqual([]);
});

test("says nothing after a failure, which it does not repeat, or a sign-out", async () => {
  const counts: number[] = [];
  const count = (unread: number) => void counts.push(unread);
  const failing = aPage("guest", () => Promise.reject(new TypeError("Failed to fetch")));
  failing.chat.peek(count);
  const { promise, resolve } = Promise.withResolvers<Response>();
  const leaving = aPage("tag-of-42", () => promise);
  leaving.chat.peek(count);
  await expect.poll(() => leaving.requests).toHaveLength(1);
  leaving.storages.setOwner("guest");
  resolve(await answer());
  // A macrotask: what follows the response has run by then.
  await new Promise((done) => setTimeout(done));
  expect([counts, failing.requests.length]).toEqual([[], 1]);
});

test("counts none once another tab has signed the customer out", async () => {
  const counts: number[] = [];
  const { chat, browser } = aPage("tag-of-42", answer);
  chat.peek((unread) => void counts.push(unread));
  await expect.poll(() => counts).toEqual([2]);
  browser.writeElsewhere("shop-chat:1:owner", null);
  browser.writeElsewhere("shop-chat:1:owner", "guest");
  expect(counts).toEqual([2, 0]);
});
