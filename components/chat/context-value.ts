import { useMemo } from "react";
import type { Chat } from "../../lib/engine/chat.ts";
import type { ChatContextValue, ShopDetails } from "./chat-context.ts";
import { createFormat } from "./format/format.ts";
import type { Words } from "./words.ts";

/**
 * The names of all details, theirs and those of `contact`, `disclosure` and `consent`. A host may pass more,
 * such as a React ref, which JSON cannot represent.
 */
const detailNames = [
  "agentName",
  "shopName",
  "contact",
  "label",
  "href",
  "logo",
  "suggestions",
  "pictureOrigins",
  "disclosure",
  "text",
  "consent",
  "version",
];

/**
 * The context of a chat. Null as long as the chat or its words are. It stays the same while a page that
 * renders again gives equal details of the shop.
 */
export function useContextValue(
  chat: Chat | null,
  words: Words | null,
  locale: string,
  shop: ShopDetails,
  onEvent: ChatContextValue["onEvent"],
): ChatContextValue | null {
  const details = JSON.stringify(shop, detailNames);
  return useMemo(
    () =>
      chat &&
      words && { chat, ...words, format: createFormat({ locale }), shop: JSON.parse(details), onEvent },
    [chat, words, locale, details, onEvent],
  );
}
