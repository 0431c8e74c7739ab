/** Timetables of the team, in the form of `PUT /team/hours`. */

const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
type Week = Partial<Record<(typeof days)[number], [string, string][]>>;

interface Hours {
  timeZone: string;
  weekly: Week;
}

export const alwaysOpen: Hours = {
  timeZone: "Asia/Kolkata",
  weekly: Object.fromEntries(days.map((day) => [day, [["00:00", "24:00"]]])),
};

/** India has no summer time and an offset of half an hour. */
const kolkataOffset = 5.5 * 60 * 60 * 1000;
const day = 24 * 60 * 60 * 1000;

/** Closed today and tomorrow; open the day after from 09:15 local time. */
export function closedUntil(now: Date): { hours: Hours; opensAt: Date } {
  const localMidnight = Math.floor((now.getTime() + kolkataOffset) / day) * day;
  const openingDay = new Date(localMidnight + 2 * day);
  const weekday = days[openingDay.getUTCDay()] ?? "mon";
  return {
    hours: { timeZone: "Asia/Kolkata", weekly: { [weekday]: [["09:15", "17:00"]] } },
    opensAt: new Date(openingDay.getTime() + (9 * 60 + 15) * 60 * 1000 - kolkataOffset),
  };
}
