import { intl } from "./intl.ts";

/** How long ago, such as "2 years ago". A future time means that a clock is wrong. Null if invalid. */
export function ageOf(value: string | null, locale: string, now = Date.now()): string | null {
  const days = Math.min(Math.round((Date.parse(value ?? "") - now) / 86_400_000), 0);
  if (Number.isNaN(days)) return null;
  const relative = intl(Intl.RelativeTimeFormat, locale, { numeric: "auto" });
  if (days > -30) return relative.format(days, "day");
  if (days > -365) return relative.format(Math.round(days / 30.4), "month");
  return relative.format(Math.round(days / 365.25), "year");
}
