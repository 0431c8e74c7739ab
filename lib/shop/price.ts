/** Prices as text. */
import type { ProductPrice } from "./catalogue.ts";

/**
 * An amount in its currency, with the currency's number of decimals (JPY none, KWD three). Whole sterling and
 * euro amounts have no decimals, as on price tags.
 */
export function formatAmount(amount: number, currency: string, locale = "en-GB"): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    trailingZeroDisplay: currency === "KWD" ? "auto" : "stripIfInteger",
  }).format(amount);
}

/** The reduction in whole per cent, or undefined if the product is not on sale. */
export function discountPercent(price: ProductPrice): number | undefined {
  if (price.was === null || price.was <= price.amount) return undefined;
  return Math.round((1 - price.amount / price.was) * 100);
}
