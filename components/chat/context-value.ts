import { useMemo } from "react";
import type { ChatEngine } from "../../lib/engine/chat.ts";
import type { ChatContextValue, ShopDetails } from "./chat-context.ts";
import { createFormat } from "./format/format.ts";
import type { Strings } from "./i18n/language.ts";

/** The context of a chat. Null as long as the chat or its texts are. */
export function useContextValue(
  chat: ChatEngine | null,
  t: Strings | null,
  locale: string,
  shop: ShopDetails,
  onEvent: ChatContextValue["onEvent"],
): ChatContextValue | null {
  return useMemo(
    () => chat && t && { chat, t, format: createFormat({ locale }), shop, onEvent },
    [chat, t, locale, shop, onEvent],
  );
}
