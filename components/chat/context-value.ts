import { useMemo } from "react";
import type { Chat } from "../../lib/engine/chat.ts";
import type { ChatContextValue, Consent, ShopDetails } from "./chat-context.ts";
import { createFormat } from "./format/format.ts";
import type { Strings } from "./i18n/language.ts";

type Details = ShopDetails &
  NonNullable<ShopDetails["contact"]> &
  NonNullable<ShopDetails["disclosure"]> &
  Consent;

/**
 * The names of all details, theirs and those of `contact`, `disclosure` and `consent`. A host may pass more,
 * such as a React ref, which JSON cannot represent.
 */
const detailNames = Object.keys({
  agentName: true,
  shopName: true,
  contact: true,
  label: true,
  href: true,
  logo: true,
  suggestions: true,
  pictureOrigins: true,
  disclosure: true,
  text: true,
  consent: true,
  version: true,
} satisfies Record<keyof Details, true>);

const urlNames = ["href", "logo"];
const urlForm = /^(?:https?:|mailto:|tel:|sms:|whatsapp:|data:image\/)/;

/** Leaves out a URL of the host that would run as a script, such as one from a field of its database. */
const keepSafe = (name: string, value: unknown) =>
  urlNames.includes(name) && !isSafe(`${value}`) ? undefined : value;

const isSafe = (address: string) =>
  URL.canParse(address, document.baseURI) && urlForm.test(new URL(address, document.baseURI).href);

/**
 * The context of a chat. Null as long as the chat or its texts are. It stays the same while a page that
 * renders again gives equal details of the shop.
 */
export function useContextValue(
  chat: Chat | null,
  t: Strings | null,
  locale: string,
  shop: ShopDetails,
  onEvent: ChatContextValue["onEvent"],
): ChatContextValue | null {
  const details = JSON.stringify(shop, detailNames);
  return useMemo(
    () =>
      chat &&
      t && { chat, t, format: createFormat({ locale }), shop: JSON.parse(details, keepSafe), onEvent },
    [chat, t, locale, details, onEvent],
  );
}
