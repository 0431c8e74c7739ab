import { directionOf } from "../i18n/direction.ts";
import { intl } from "./intl.ts";

/**
 * Formats an amount in its currency. Never throws: an invalid currency code (ISO 4217) is shown unchanged.
 */
export function moneyOf(amount: number, currency: string, locale: string): string {
  if (!/^[A-Za-z]{3}$/.test(currency)) {
    return `${intl(Intl.NumberFormat, locale, { maximumFractionDigits: 3 }).format(amount)} ${currency}`.trim();
  }
  const trailingZeroDisplay = Number.isInteger(amount) ? "stripIfInteger" : "auto";
  const make = (currencyDisplay: "symbol" | "narrowSymbol", more: Intl.NumberFormatOptions = {}) =>
    intl(Intl.NumberFormat, locale, {
      style: "currency",
      currency,
      currencyDisplay,
      trailingZeroDisplay,
      ...more,
    });
  const narrow = make("narrowSymbol");
  const sign = narrow.formatToParts(0).find(({ type }) => type === "currency")?.value ?? "";
  const display = sharedSigns.includes(sign) ? "symbol" : "narrowSymbol";
  // Less than half of the currency's smallest unit, such as the price of a sheet, would read as free.
  const { maximumFractionDigits = 0 } = narrow.resolvedOptions();
  const isTiny = amount !== 0 && Math.abs(amount) < 0.5 / 10 ** maximumFractionDigits;
  const numbers = make(display, isTiny ? { maximumSignificantDigits: 2 } : {});
  if (directionOf(locale) === "ltr") return numbers.format(amount);
  // In right-to-left text the sign of `US$` would be drawn before its letters.
  return numbers
    .formatToParts(amount)
    .map(({ type, value }) => (type === "currency" ? `\u2068${value}\u2069` : value))
    .join("");
}

/** Several currencies share these signs, so the country is added unless it is the customer's own. */
const sharedSigns: readonly string[] = ["$", "¥", "kr"];
