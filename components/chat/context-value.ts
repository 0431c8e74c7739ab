import { useMemo } from "react";
import type { Chat } from "../../lib/engine/chat.ts";
import type { ChatContextValue, GivenShop } from "./chat-context.ts";
import { createFormat } from "./format/format.ts";
import type { Words } from "./words.ts";

const noSuggestions: readonly string[] = [];

/** The context of a chat. Null as long as the chat or its words are. */
export function useContextValue(
  chat: Chat | null,
  words: Words | null,
  locale: string,
  { agentName, shopName, contact, logo, suggestions, pictureOrigins, disclosure, consent }: GivenShop,
  onEvent: ChatContextValue["onEvent"],
): ChatContextValue | null {
  return useMemo(
    () =>
      chat &&
      words && {
        chat,
        ...words,
        format: createFormat({ locale }),
        shop: {
          agentName,
          shopName,
          contact: contact ?? null,
          logo: logo ?? null,
          suggestions: suggestions ?? noSuggestions,
          pictureOrigins: pictureOrigins ?? null,
          disclosure,
          consent,
        },
        onEvent,
      },
    [
      chat,
      words,
      locale,
      agentName,
      shopName,
      contact,
      logo,
      suggestions,
      pictureOrigins,
      disclosure,
      consent,
      onEvent,
    ],
  );
}
