import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { inertChat } from "../../../lib/engine/testing/inert-chat.ts";
import { ChatContext, type ChatContextValue } from "../chat-context.ts";
import { createFormat } from "../format/format.ts";
import t from "../i18n/en.json" with { type: "json" };

/** The chat of an English shop, for tests. */
export const testChat: ChatContextValue = {
  chat: inertChat(),
  t,
  format: createFormat({ locale: "en-GB", timeZone: "Europe/London" }),
  shop: {
    agentName: "Wren",
    shopName: "Shop",
    contact: { label: "01539 555 010", href: "tel:+441539555010" },
    suggestions: [],
    logo: null,
    pictureOrigins: null,
  },
  onEvent: () => undefined,
};

/** The HTML of a part of the chat, perhaps in a given state. */
export function rendered(element: ReactElement, context: ChatContextValue = testChat): string {
  return renderToStaticMarkup(createElement(ChatContext, { value: context }, element));
}

export const chatWith = (state: Parameters<typeof inertChat>[0]): ChatContextValue => ({
  ...testChat,
  chat: inertChat(state),
});
