import type { Price } from "#lib/chat-api/message.ts";
import type { ShopProduct } from "#lib/shop/catalogue.ts";
import { formatAmount } from "#lib/shop/price.ts";
import { type Language, languageData } from "../language/languages.ts";
import { say } from "../language/replies.ts";

/** A price in words, including the price before a sale. */
export function formatPrice(price: Price | null, language: Language): string {
  if (price === null) return say(language, "priceUnknown");
  if (price.amount === 0) return say(language, "free");
  const written = (amount: number) =>
    isolated(formatAmount(amount, price.currency, languageData[language].locale));
  const amount = written(price.amount);
  const now = price.from ? say(language, "priceFrom", { price: amount }) : amount;
  return price.was === null ? now : `${now} (${say(language, "priceWas", { price: written(price.was) })})`;
}

/**
 * Isolates the sign: without that, a right-to-left sentence would show the sign of `UK£` before its letters.
 */
function isolated(amount: string): string {
  const plain = amount.replace(/[\u200e\u200f\u061c]/g, "").trim();
  return plain === amount ? amount : `\u2068${plain}\u2069`;
}

export function formatList(items: readonly string[], language: Language): string {
  return new Intl.ListFormat(languageData[language].locale).format(items);
}

/** The product's name in the customer's language if available; very long names are cut at a word. */
export function titleOf(product: ShopProduct, language: Language): string {
  const title = product.i18n[language]?.title ?? product.title;
  return title.length <= 70 ? title : `${title.slice(0, 60).replace(/\s+\S*$/u, "")} …`;
}
