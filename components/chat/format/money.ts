import { cache } from "./cache.ts";

const formats = cache();

/**
 * Formats an amount in its currency. Never throws: an invalid currency code (ISO 4217) is shown unchanged.
 */
export function moneyOf(amount: number, currency: string, locale: string): string {
  const once: typeof formats = (name, make) => formats(`${locale}:${name}`, make);
  if (!/^[A-Za-z]{3}$/.test(currency)) {
    return `${once("plainMoney", () => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })).format(amount)} ${currency}`.trim();
  }
  const isWhole = Number.isInteger(amount);
  const numbers = once(`money:${currency}:${isWhole}`, () => {
    const make = (currencyDisplay: "symbol" | "narrowSymbol") =>
      new Intl.NumberFormat(locale, {
        style: "currency",
        currency,
        currencyDisplay,
        ...(isWhole ? { trailingZeroDisplay: "stripIfInteger" } : {}),
      });
    const narrow = make("narrowSymbol");
    const sign = narrow.formatToParts(0).find(({ type }) => type === "currency")?.value ?? "";
    return sharedSigns.includes(sign) ? make("symbol") : narrow;
  });
  if (!isRightToLeft(locale)) return numbers.format(amount);
  // In right-to-left text the sign of `US$` would be drawn before its letters.
  return numbers
    .formatToParts(amount)
    .map(({ type, value }) => (type === "currency" ? `\u2068${value}\u2069` : value))
    .join("");
}

function isRightToLeft(locale: string): boolean {
  return /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Adlm)$/.test(new Intl.Locale(locale).maximize().script ?? "");
}

/** Several currencies share these signs, so the country is added unless it is the customer's own. */
const sharedSigns: readonly string[] = ["$", "¥", "kr"];
