/** A shop's opening hours today and on later days, in the shop's time zone. */
import { addDays, hoursOn, localTime, type Store, weekdayOf, weekdays } from "#lib/shop/stores.ts";

/** The hours of the day that is `daysAhead` from now; null when the shop is closed then. */
export function hoursAhead(store: Store, now: Date, daysAhead: number): readonly [string, string] | null {
  return hoursOn(store, addDays(localTime(now).date, daysAhead)).hours;
}

/** The weekday that is `daysAhead` from now; 0 is Monday. */
export function weekdayAhead(now: Date, daysAhead: number): number {
  return weekdays.indexOf(weekdayOf(addDays(localTime(now).date, daysAhead)));
}
