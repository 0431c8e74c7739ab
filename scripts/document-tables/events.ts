/** The table of docs/chat-widget.md: what the host learns. */
import type { WidgetEvent } from "#components/chat/events.ts";
import { code, table } from "../../channel/openapi/fill-tables.ts";

/** When each event happens, and what it holds. */
export const events: {
  [Type in WidgetEvent["type"]]: [when: string, ...Exclude<keyof (WidgetEvent & { type: Type }), "type">[]];
} = {
  ready: ["the chat has loaded: when the page is idle, and in `<shop-chat>` when it is first used"],
  opened: ["the floating chat opens; not when the next page shows an open chat again"],
  closed: ["the floating chat closes"],
  message_sent: ["the server has stored a message of the customer", "chatId", "messageId"],
  reply_started: ["the agent begins to answer", "chatId", "replyId"],
  reply_done: ["the answer is complete, with the products that it shows", "chatId", "replyId", "productIds"],
  stopped: ["the customer has stopped an answer", "chatId"],
  form_opened: ["the agent asks for a form", "chatId", "formId"],
  form_submitted: ["the customer has sent the form", "chatId", "formId"],
  form_skipped: ["the customer has skipped it", "chatId", "formId"],
  form_cancelled: ["the customer has cancelled it", "chatId", "formId"],
  offer_shown: ["the agent offers to pass the chat to the team", "chatId", "messageId"],
  team_requested: ["the chat waits for the team", "chatId"],
  teammate_joined: ["a teammate has taken the chat", "chatId"],
  resolved: ["the chat is closed", "chatId"],
  rated: [
    "the customer has judged an answer, or the chat (without message); 0 takes it back",
    "chatId",
    "messageId",
    "kind",
    "value",
  ],
  product_opened: ["the customer follows a product's link", "chatId", "messageId", "productId"],
  source_opened: ["the customer follows a source's link, counted from 1", "chatId", "messageId", "position"],
  error: ["a message was not sent", "chatId", "code"],
};

export const eventTables = {
  events: () =>
    table(
      ["`type`", "when", "with"],
      Object.entries(events).map(([type, [when, ...holds]]) => [
        code(type),
        when,
        holds.map(code).join(", "),
      ]),
    ),
};
