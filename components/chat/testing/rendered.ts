import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { inertChat } from "../../../lib/engine/testing/inert-chat.ts";
import { ChatContext, type PartContextValue } from "../chat-context.ts";
import { createFormat } from "../format/format.ts";
import first from "../i18n/en.ts";
import { later } from "../i18n/en-later.ts";
import type { Strings } from "../i18n/language.ts";

/** All English texts. */
export const strings = { ...first, ...later };

/** React reads a promise with these properties without a wait. */
export function loadedTexts(texts: Strings): PartContextValue["allTexts"] {
  const loaded = Object.assign(Promise.resolve(texts), { status: "fulfilled", value: texts });
  return { load: () => loaded, loadAgain: () => undefined };
}

/** The chat of an English shop, for tests. */
export const testChat: PartContextValue = {
  chat: inertChat(),
  t: strings,
  allTexts: loadedTexts(strings),
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
export function rendered(element: ReactElement, context: PartContextValue = testChat): string {
  return renderToStaticMarkup(createElement(ChatContext, { value: context }, element));
}

export const chatWith = (state: Parameters<typeof inertChat>[0]): PartContextValue => ({
  ...testChat,
  chat: inertChat(state),
});
