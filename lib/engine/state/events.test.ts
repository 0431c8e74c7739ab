import { expect, test } from "vitest";
import { anOffer } from "../../chat-api/testing/builders.ts";
import { failure } from "../failure.ts";
import { aChat, aCollection, aConversation, aMessage, aRequest, chatId } from "../testing/builders.ts";
import { eventsOf } from "./events.ts";
import { type ConversationAction, reduceConversation } from "./reducer.ts";

const open = aCollection({ request: aRequest({ id: "request-1" }) });

function eventsAfter(action: ConversationAction, before = aConversation()) {
  return eventsOf(before, reduceConversation(before, action), action);
}

test("names the ends of a form and the forms that open", () => {
  expect(eventsAfter({ type: "collection_read", collection: open })).toEqual([
    { type: "form_opened", chatId, formId: "request-1" },
  ]);
  const before = aConversation({ collection: open });
  for (const [how, type] of [
    ["save", "form_submitted"],
    ["skip", "form_skipped"],
    ["cancel", "form_cancelled"],
  ] as const)
    expect(
      eventsAfter(
        {
          type: "collection_read",
          collection: aCollection({ version: 2 }),
          ended: { formId: "request-1", how },
        },
        before,
      ),
    ).toEqual([{ type, chatId, formId: "request-1" }]);
});

test("a form that an earlier page has opened does not open again when it is read", () => {
  const asking = aMessage({ collection: open });
  const before = aConversation({ messages: [asking] });
  expect(eventsAfter({ type: "collection_read", collection: open }, before)).toEqual([]);
  expect(eventsAfter({ type: "news_read", hasOlder: false, messages: [asking] })).toEqual([
    { type: "form_opened", chatId, formId: "request-1" },
  ]);
});

test("names the steps with the team, offers and refusals", () => {
  for (const [mode, type] of [
    ["waiting", "team_requested"],
    ["teammate", "teammate_joined"],
    ["resolved", "resolved"],
  ] as const)
    expect(eventsAfter({ type: "chat_read", chat: aChat({ mode }) })).toEqual([{ type, chatId }]);
  const offering = aMessage({ handoffOffer: anOffer() });
  expect(eventsAfter({ type: "news_read", hasOlder: false, messages: [offering] })).toEqual([
    { type: "offer_shown", chatId, messageId: offering.id },
  ]);
  const delivery = { state: "refused", failure: failure("chat_limit_reached") } as const;
  expect(eventsAfter({ type: "delivery_changed", key: "key-0000-1", delivery })).toEqual([
    { type: "error", chatId, code: "chat_limit_reached" },
  ]);
});
