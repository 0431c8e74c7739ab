/** Prices as text. */
import type { ProductPrice } from "./catalogue.ts";

/**
 * An amount in its currency, with as many decimals as the currency has (JPY none, KWD three). Whole sterling and euro
 * amounts are written without decimals, as price tags are.
 */
export function formatAmount(amount: number, currency: string, locale = "en-GB"): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    trailingZeroDisplay: currency === "KWD" ? "auto" : "stripIfInteger",
  }).format(amount);
}

/** How much less than before, in whole per cent, or undefined when it is not a sale. */
export function discountPercent(price: ProductPrice): number | undefined {
  if (price.was === null || price.was <= price.amount) return undefined;
  return Math.round((1 - price.amount / price.was) * 100);
}
