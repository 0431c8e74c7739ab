import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { ChatContext, type ChatContextValue } from "../chat-context.ts";
import { createFormat } from "../format/format.ts";
import { strings } from "../i18n/en.ts";

/** The chat of an English shop, for tests. */
export const testChat: ChatContextValue = {
  api: "/api/chat",
  t: strings,
  format: createFormat({ locale: "en-GB", timeZone: "Europe/London" }),
  shop: {
    agentName: "Wren",
    shopName: "Shop",
    contact: { label: "01539 555 010", href: "tel:+441539555010" },
    suggestions: [],
    pictureOrigins: null,
  },
};

/** The HTML of a part of the chat. */
export function rendered(element: ReactElement, chat: ChatContextValue = testChat): string {
  return renderToStaticMarkup(createElement(ChatContext, { value: chat }, element));
}
