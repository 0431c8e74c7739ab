import { localeTag } from "../../../lib/chat-api/locale.ts";
import { directionOf } from "../i18n/direction.ts";

/**
 * Times and numbers in the customer's language and time zone. Input comes from other systems: nothing here
 * throws, and invalid times are omitted.
 */

export type Format = ReturnType<typeof createFormat>;

export interface FormatOptions {
  locale: string;
  /** IANA name; the browser's when absent. */
  timeZone?: string | undefined;
  now?: () => number;
}

const day = 24 * 60 * 60 * 1_000;

export function createFormat({ locale: wanted, timeZone, now = Date.now }: FormatOptions) {
  const locale = localeTag(wanted);
  const zone = timeZone !== undefined && isTimeZone(timeZone) ? { timeZone } : {};
  const dates = (options: Intl.DateTimeFormatOptions, of = locale) =>
    intl(Intl.DateTimeFormat, of, { ...zone, ...options });
  // Built from parts: browsers format dates differently, even "en-CA", which most format as ISO 8601.
  const dayKeyAt = (at: number) => dayKeyOf(dates(keyParts, "en-u-ca-gregory-nu-latn").formatToParts(at));
  // Counts calendar days: around a change of clocks a day has 23 or 25 hours.
  const daysAhead = (at: number) => (Date.parse(dayKeyAt(at)) - Date.parse(dayKeyAt(now()))) / day;
  const longDate = (at: number, of: Pick<Intl.DateTimeFormatOptions, "timeZone"> = {}) => {
    const isThisYear = dayKeyAt(at).slice(0, 4) === dayKeyAt(now()).slice(0, 4);
    const year = isThisYear ? {} : { year: "numeric" as const };
    return dates({ weekday: "long", day: "numeric", month: "long", ...year, ...of }).format(at);
  };
  const relative = () => intl(Intl.RelativeTimeFormat, locale, { numeric: "auto" });
  const waits = () => intl(Intl.RelativeTimeFormat, locale, { numeric: "always" });

  return {
    locale,
    /** 14:05 */
    time: (value: string | null) => ifTime(value, (at) => dates({ timeStyle: "short" }).format(at)),
    /** Tuesday, 3 June; with the year if it is not the current one; "Today" and "Yesterday". */
    day: (value: string) =>
      ifTime(value, (at) => {
        const ahead = daysAhead(at);
        return ahead === 0 || ahead === -1 ? capital(relative().format(ahead, "day"), locale) : longDate(at);
      }) ?? "",
    /** 3 June 2026, 14:05 */
    dateTime: (value: string | null) =>
      ifTime(value, (at) => dates({ dateStyle: "long", timeStyle: "short" }).format(at)),
    /** The calendar day in the customer's time zone, `YYYY-MM-DD`. */
    dayKey: (value: string | null) => ifTime(value, dayKeyAt),
    /** "in 42 seconds"; minutes from two on: "in 3 minutes". */
    wait: (seconds: number) =>
      seconds < 120 ? waits().format(seconds, "second") : waits().format(Math.ceil(seconds / 60), "minute"),
    /**
     * The day (today, tomorrow, or Monday 8 June, with the year if it is not the current one) and the time
     * (15:00). In the given or the customer's time zone; null if invalid.
     */
    returnTime: (value: string | null, timeZoneOfOthers?: string) =>
      ifTime(value, (at) => {
        if (timeZoneOfOthers !== undefined && !isTimeZone(timeZoneOfOthers)) return null;
        const theirs = timeZoneOfOthers === undefined ? {} : { timeZone: timeZoneOfOthers };
        const ahead = daysAhead(at);
        return {
          day: ahead === 0 || ahead === 1 ? relative().format(ahead, "day") : longDate(at, theirs),
          time: dates({ timeStyle: "short", ...theirs }).format(at),
        };
      }),
    /** "2 years ago". A future time means that a clock is wrong. Null if invalid. */
    age: (value: string | null) =>
      ifTime(value, (at) => {
        const days = Math.min(Math.round((at - now()) / day), 0);
        if (days > -30) return relative().format(days, "day");
        return days > -365
          ? relative().format(Math.round(days / 30.4), "month")
          : relative().format(Math.round(days / 365.25), "year");
      }),
    number: (value: number) => intl(Intl.NumberFormat, locale, { maximumFractionDigits: 20 }).format(value),
    /** "4 MB" */
    bytes: (size: number) => bytesOf(size, locale),
    /** "£24.50" */
    money: (amount: number, currency: string) => moneyOf(amount, currency, locale),
    plural: (count: number) => intl(Intl.PluralRules, locale).select(count),
  };
}

function bytesOf(size: number, locale: string): string {
  // Steps of 1,024, like the API's limits: the largest allowed file reads "4 MB".
  const [value, unit] =
    size < 1_024
      ? ([size, "byte"] as const)
      : size < 1_048_576
        ? ([size / 1_024, "kilobyte"] as const)
        : ([size / 1_048_576, "megabyte"] as const);
  const maximumFractionDigits = unit === "megabyte" ? 1 : 0;
  const unitDisplay = unit === "byte" ? "long" : "short";
  const options = { style: "unit", unit, unitDisplay, maximumFractionDigits } as const;
  return intl(Intl.NumberFormat, locale, options).format(value);
}

const keyParts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;

function dayKeyOf(parts: readonly Intl.DateTimeFormatPart[]): string {
  const partOf = (wanted: Intl.DateTimeFormatPartTypes) =>
    parts.find(({ type }) => type === wanted)?.value ?? "";
  return `${partOf("year")}-${partOf("month")}-${partOf("day")}`;
}

function ifTime<T>(value: string | null, read: (at: number) => T): T | null {
  if (value === null) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : read(at);
}

function capital(text: string, locale: string): string {
  const [first = ""] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
}

/** The API passes time zone names on unchecked; one that the browser does not know is ignored. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

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

const made = new Map<string, object>();

/** `new Kind(locale, options)`. Creating an Intl object costs far more than using it, so each is kept. */
export function intl<Made extends object, Options>(
  Kind: new (locale: string, options?: Options) => Made,
  locale: string,
  options?: Options,
): Made {
  const name = JSON.stringify([Kind.name, locale, options]);
  const known = made.get(name);
  if (known instanceof Kind) return known;
  const fresh = new Kind(locale, options);
  made.set(name, fresh);
  return fresh;
}
