import { expect, test, vi } from "vitest";
import { errorRules } from "../../chat-api/errors.ts";
import * as conversationLimits from "../limits.ts";
import type { ChatEvent } from "../state/events.ts";
import { aChat } from "../testing/builders.ts";
import { aChatPage, type PageOptions, refusal, type TestPage } from "../testing/chat-page.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";

const chatId = "chat_00000001";
const up = { kind: "up", messageId: "message_1", value: 1 } as const;
const path = `POST /chats/${chatId}/feedback`;

const taken = () => new Response(null, { status: 204 });

/** A page that shows a chat whose host takes feedback, answered by `answer`. */
async function aPage(answer: () => Response | undefined = taken, options: PageOptions = {}) {
  const bodies: unknown[] = [];
  const page = await aChatPage(
    (request, { body }) => {
      if (request === "POST /session")
        return Response.json({ item: { caller: "tag-of-a-guest", customer: null, takesFeedback: true } });
      if (request === `GET /chats/${chatId}`) return Response.json({ item: aChat({ id: chatId }) });
      if (request !== path) return undefined;
      bodies.push(JSON.parse(String(body)));
      return answer();
    },
    { chatId, ...options },
  );
  await expect.poll(() => page.chat.getState().feedback).not.toBeNull();
  return { ...page, bodies };
}

const given = ({ chat }: Pick<TestPage, "chat">) => [...(chat.getState().feedback?.values() ?? [])];
const isDue = ({ storage }: Pick<TestPage, "storage">) =>
  storage.names("feedback:").map((name) => JSON.parse(storage.read(name) ?? "{}").isDue);

test("shows a press at once, sends it, and keeps it for the next page", async () => {
  const events: ChatEvent[] = [];
  const page = await aPage(taken, { onEvent: (event) => void events.push(event) });
  page.chat.rate(up);
  expect(given(page)).toMatchObject([up]);
  page.chat.rate({ kind: "rating", messageId: null, value: 4, comment: "Quick" });
  await expect.poll(() => isDue(page)).toEqual([false, false]);
  expect(page.bodies).toEqual([up, { kind: "rating", messageId: null, value: 4, comment: "Quick" }]);
  expect(events).toEqual([
    { type: "rated", chatId, ...up },
    { type: "rated", chatId, kind: "rating", messageId: null, value: 4 },
  ]);
  const next = await aPage(taken, { earlier: page.browser });
  expect(given(next)).toMatchObject([up, { kind: "rating", value: 4, comment: "Quick" }]);
  expect(next.bodies).toEqual([]);
});

test("repeats a press under its key while the host fails, and the next page continues", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const page = await aPage(() => refusal("upstream_unreachable"));
  page.chat.rate(up);
  while (page.bodies.length <= (errorRules.connection_lost.repeat?.times ?? 0))
    await vi.advanceTimersByTimeAsync(15_000);
  vi.useRealTimers();
  expect(new Set(page.keys).size).toBe(1);
  expect(isDue(page)).toEqual([true]);
  page.chat.close();
  const next = await aPage(taken, { earlier: page.browser });
  await expect.poll(() => isDue(next)).toEqual([false]);
  expect(next.keys[0]).toBe(page.keys[0]);
});

test("sends nothing while another tab may, and goes on after the back/forward cache", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const page = await aPage(() => refusal("upstream_unreachable"));
  page.chat.rate(up);
  await vi.waitFor(() => expect(page.bodies).toHaveLength(1));
  page.browser.dispatch("pagehide");
  for (let times = 0; times < 5; times += 1) await vi.advanceTimersByTimeAsync(15_000);
  expect(page.bodies).toHaveLength(1);
  page.browser.dispatch("pageshow");
  await vi.waitFor(() => expect(page.bodies).toHaveLength(2));
});

test("waits on the next page as long as the server has asked", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const page = await aPage(() => refusal("rate_limited", 40));
  page.chat.rate(up);
  await vi.waitFor(() => expect(page.bodies).toHaveLength(1));
  page.chat.close();
  const next = await aPage(taken, { earlier: page.browser });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(next.bodies).toEqual([]);
  await vi.advanceTimersByTimeAsync(15_000);
  await vi.waitFor(() => expect(next.bodies).toEqual([up]));
});

test("gives up a press that the server refuses for good, or that is a day old", async () => {
  const page = await aPage(() => refusal("invalid_request"));
  page.chat.rate(up);
  await expect.poll(() => isDue(page)).toEqual([false]);
  const earlier = memoryBrowser();
  const old = { ...up, key: "key-00001", at: Date.now() - conversationLimits.unattendedSending, isDue: true };
  earlier.local.write(`shop-chat:1:guest:feedback:${chatId}:message_1`, JSON.stringify(old));
  const next = await aPage(taken, { earlier });
  await expect.poll(() => isDue(next)).toEqual([false]);
  expect([...page.bodies, ...next.bodies]).toHaveLength(1);
});

test("shows what another tab has given", async () => {
  const page = await aPage();
  const entry = JSON.stringify({ ...up, key: "key-00001", at: Date.now(), isDue: false });
  page.browser.writeElsewhere(`shop-chat:1:guest:feedback:${chatId}:message_1`, entry);
  expect(given(page)).toMatchObject([up]);
});

test("takes no feedback from a host that does not", async () => {
  const page = await aChatPage(() => undefined, { chatId });
  page.chat.rate(up);
  expect(page.chat.getState().feedback).toBeNull();
  expect(page.storage.names("feedback:")).toEqual([]);
});
