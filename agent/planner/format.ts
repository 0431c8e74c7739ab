import type { Price } from "#lib/chat-api/product.ts";
import type { ShopProduct } from "#lib/shop/catalogue.ts";
import type { Language } from "../language/languages.ts";
import { nameOf, say } from "../language/replies.ts";

/** Arabic texts of the shop use Western digits. */
const numberLocales: Record<Language, string> = {
  en: "en-GB",
  de: "de-DE",
  fr: "fr-FR",
  ar: "ar-u-nu-latn",
  ja: "ja-JP",
};

/** An amount in its currency, without the pence when there are none ("£1,899", in German "24,500 KWD"). */
export function formatAmount(amount: number, currency: string, language: Language): string {
  const digits = Number.isInteger(amount) ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {};
  const format = new Intl.NumberFormat(numberLocales[language], {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    ...digits,
  });
  const written = format
    .format(amount)
    .replace(/[\u200e\u200f\u061c]/g, "")
    .trim();
  // Bidi isolates: without them, a right-to-left sentence would show the sign of `UK£` before its letters.
  return language === "ar" ? `\u2068${written}\u2069` : written;
}

/** A price in words, including the price before a sale. */
export function formatPrice(price: Price | null, language: Language): string {
  if (price === null) return say(language, "priceUnknown");
  if (price.amount === 0) return say(language, "free");
  const amount = formatAmount(price.amount, price.currency, language);
  const now = price.from ? say(language, "priceFrom", { price: amount }) : amount;
  return price.was === null
    ? now
    : `${now} (${say(language, "priceWas", { price: formatAmount(price.was, price.currency, language) })})`;
}

const listFormats = new Map<string, Intl.ListFormat>();

export function formatList(
  items: readonly string[],
  language: Language,
  type: "conjunction" | "disjunction" = "conjunction",
): string {
  const key = `${language} ${type}`;
  let format = listFormats.get(key);
  if (!format) {
    format = new Intl.ListFormat(language === "en" ? "en-GB" : language, { type });
    listFormats.set(key, format);
  }
  return format.format(items);
}

/** The product's name in the customer's language if available; very long names are cut at a word. */
export function titleOf(product: ShopProduct, language: Language): string {
  const title = product.i18n[language]?.title ?? product.title;
  if (title.length <= 70) return title;
  return `${title.slice(0, 60).replace(/\s+\S*$/u, "")} …`;
}

export function formatColours(colours: readonly string[], language: Language): string {
  return formatList(
    colours.map((colour) => nameOf(language, "colourNames", colour)),
    language,
  );
}

/** Joins sentences to a paragraph; Japanese has no space between them. */
export function joinSentences(sentences: readonly string[], language: Language): string {
  return sentences.filter(Boolean).join(language === "ja" ? "" : " ");
}
