import { expect, test } from "vitest";
import { ChatApiError } from "../../chat-api/errors.ts";
import type { Message, MessagePage } from "../../chat-api/message.ts";
import { ChatConnectionError } from "../../chat-client/errors.ts";
import { createFailureOf } from "../failure.ts";
import { aChat, aMessage } from "../testing/builders.ts";
import { readSummary } from "./summary.ts";

const chat = aChat({ mode: "waiting" });
const { signal } = new AbortController();

function clientOf(list: () => Promise<never> | MessagePage) {
  const asked: string[] = [];
  return {
    asked,
    async getChat() {
      asked.push("chat");
      return chat;
    },
    async listMessages() {
      asked.push("messages");
      return list();
    },
  };
}
const failing = (error: Error) => clientOf(() => Promise.reject(error));
const failureOf = createFailureOf();
/** `latest` are those of a chat of more than one page. */
function read(
  client: ReturnType<typeof clientOf>,
  awaitsTeam = false,
  seenId: string | null = null,
  latest: readonly Message[] = [],
) {
  const reading = { latest: async () => ({ messages: latest }) };
  return readSummary({ client, reading, failureOf }, { chatId: chat.id, awaitsTeam, seenId }, signal);
}

test("names a chat by its topic and reads its state only while the team has it", async () => {
  const items = [aMessage({ role: "visitor", text: "Do you deliver to Ireland?" })];
  const client = clientOf(() => ({ items, nextCursor: null }));
  expect(await read(client)).toMatchObject({
    state: "known",
    chat: null,
    topic: "Do you deliver to Ireland?",
  });
  expect(client.asked).toEqual(["messages"]);
  expect(await read(client, true)).toMatchObject({ state: "known", chat });
});

test("names the last line, and whether it was on screen", async () => {
  const items = [aMessage({ role: "visitor", text: "Hello" }), aMessage({ role: "agent", text: "Good day" })];
  const client = clientOf(() => ({ items, nextCursor: null }));
  const seen = (index: number) => read(client, false, items[index]?.id);
  expect(await seen(0)).toMatchObject({ last: { text: "Good day" }, hasUnread: true });
  expect(await seen(1)).toMatchObject({ hasUnread: false });
  expect(await read(client)).toMatchObject({ hasUnread: false });
});

test("names the last line of a chat of several pages", async () => {
  const items = [aMessage({ role: "visitor", text: "Hello" })];
  const latest = [aMessage({ text: "Sent" }), aMessage({ text: "Delivered" })];
  const client = clientOf(() => ({ items, nextCursor: "more" }));
  expect(await read(client, false, latest[0]?.id, latest)).toMatchObject({
    topic: "Hello",
    last: { text: "Delivered" },
    hasUnread: true,
  });
});

test("distinguishes a deleted chat from one that could not be read", async () => {
  expect(await read(failing(new ChatApiError("chat_not_found")))).toEqual({ state: "gone" });
  for (const error of [
    new ChatApiError("upstream_unreachable"),
    new ChatApiError("rate_limited"),
    new ChatConnectionError("listMessages", "unreachable"),
  ])
    expect(await read(failing(error))).toEqual({ state: "failed" });
});

test("takes the topic from the customer's first words, else from the first message", async () => {
  const said = (role: "system" | "agent" | "visitor", text: string) => aMessage({ role, text });
  const topicOf = async (...items: ReturnType<typeof aMessage>[]) => {
    const summary = await read(clientOf(() => ({ items, nextCursor: null })));
    return summary.state === "known" ? summary.topic : summary.state;
  };
  const greeted = [said("system", "Chat started"), said("agent", "Hello! How can I help?")];
  expect(await topicOf(...greeted, said("visitor", ""), said("visitor", "My brakes squeal"))).toBe(
    "My brakes squeal",
  );
  expect(await topicOf(said("agent", "Hello!"))).toBe("Hello!");
  expect(await topicOf()).toBe("");
});
