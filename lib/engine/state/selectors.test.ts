import { expect, test } from "vitest";
import { failure } from "../failure.ts";
import {
  aChat,
  aCollection,
  aConversation,
  aMessage,
  aPending,
  aRecord,
  aRequest,
} from "../testing/builders.ts";
import {
  answerableMessageId,
  closedBy,
  latestFormMessageId,
  matchesOf,
  statusOf,
  takesMessages,
} from "./selectors.ts";

const refusedWith = (code: Parameters<typeof failure>[0]) => ({
  pending: [{ record: aRecord(), delivery: { state: "refused", failure: failure(code) } as const }],
});

test("hides the composer at a chat's end, not during an outage", () => {
  expect(takesMessages(aConversation())).toBe(true);
  expect(takesMessages(aConversation({ chat: aChat({ mode: "resolved" }) }))).toBe(false);
  expect(takesMessages(aConversation(refusedWith("operation_capacity_reached")))).toBe(false);
  const poll = (code: "chat_not_found" | "chat_unavailable") =>
    takesMessages(aConversation({ syncFailure: failure(code) }));
  expect([poll("chat_not_found"), poll("chat_unavailable")]).toEqual([false, true]);
  // Only a read tells that a chat is gone: after a sign-in it may be there.
  for (const code of ["chat_not_found", "chat_unavailable", "channel_disabled", "rate_limited"] as const)
    expect(takesMessages(aConversation(refusedWith(code))), code).toBe(true);
  expect(closedBy(aConversation(refusedWith("chat_unavailable")))).toBe("chat_unavailable");
});

test("offers the newest message's suggested replies until one is sent or the chat ends", () => {
  const messages = [aMessage(), aMessage()];
  const offered = (more: Parameters<typeof aConversation>[0] = {}) =>
    answerableMessageId(aConversation({ messages, ...more }));
  expect(offered()).toBe(messages[1]?.id);
  expect(offered(refusedWith("internal_error"))).toBeNull();
  expect(offered({ chat: aChat({ mode: "resolved" }) })).toBeNull();
  expect(offered({ syncFailure: failure("chat_not_found") })).toBeNull();
  expect(offered({ syncFailure: failure("connection_lost") })).toBe(messages[1]?.id);
});

test("is idle after a refusal, but not while a message's outcome is unknown", () => {
  const record = aRecord();
  const status = (state: "unsure" | "sending" | "queued") =>
    statusOf(aConversation({ pending: [{ record, delivery: { state } }] }));
  expect([status("unsure"), status("sending"), status("queued")]).toEqual([
    "recovering",
    "submitted",
    "submitted",
  ]);
  expect(statusOf(aConversation(refusedWith("connection_lost")))).toBe("idle");
});

const request = (id: string) => aRequest({ id });
const asking = (id: string) => aMessage({ collection: aCollection({ request: request(id) }) });

test("opens the requested form, even in an older message", () => {
  const [first, second] = [asking("request-1"), asking("request-2")];
  const messages = [first, second, aMessage()];
  const shown = (id: string | null) =>
    latestFormMessageId({ messages, collection: id === null ? null : aCollection({ request: request(id) }) });
  expect(shown("request-1")).toBe(first.id);
  expect(shown("request-2")).toBe(second.id);
  expect(shown(null)).toBe(second.id);
  expect(shown("request-without-message")).toBeNull();
  expect(latestFormMessageId({ messages, collection: aCollection() })).toBe(second.id);
});

test("closes a chat after a failed read only if it is gone or unavailable", () => {
  const unread = (code: Parameters<typeof failure>[0]) =>
    closedBy(
      aConversation({
        history: { state: "failed", failure: failure(code), retryAt: null, hasOlder: false, older: "idle" },
      }),
    );
  for (const code of ["chat_not_found", "invalid_id", "chat_unavailable"] as const)
    expect(unread(code), code).toBe(code);
  expect(unread("connection_lost")).toBeNull();
});

test("does not take a message whose reply is being streamed for an equal refused one", () => {
  const listed = aMessage({ role: "visitor", text: "Hello?" });
  const refusedRecord = aRecord({ text: "Hello?", refusal: failure("connection_lost") });
  const streamed = { state: "stored", messageId: listed.id } as const;
  const state = aConversation({
    messages: [listed],
    pending: [
      { record: refusedRecord, delivery: { state: "refused", failure: failure("connection_lost") } },
      { record: aRecord({ text: "Hello?" }), delivery: streamed },
    ],
  });
  expect(matchesOf(state).size).toBe(0);
});

test("looks for a message below the one that it follows, even if that one is being answered", () => {
  const [earlier, answered] = [
    aMessage({ role: "visitor", text: "Hello?" }),
    aMessage({ role: "visitor", text: "Are you there?" }),
  ];
  const state = aConversation({
    messages: [earlier, answered],
    pending: [
      aPending({ state: "stored", messageId: answered.id }, { text: answered.text }),
      aPending({ state: "sending" }, { text: earlier.text, afterMessageId: answered.id }),
    ],
  });
  expect(matchesOf(state).size).toBe(0);
});
