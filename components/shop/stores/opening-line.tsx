import { Badge } from "#components/ui/badge.tsx";
import { openingState, type Store, type Weekday } from "#lib/shop/stores.ts";
import styles from "./opening-line.module.css";

export const dayNames: Record<Weekday, string> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

/** Whether the shop is open now, and what comes next. */
export function OpeningLine({ store, now }: { store: Store; now: Date }) {
  const state = openingState(store, now);
  if (state.open) {
    return (
      <p className={styles["line"]}>
        <Badge tone="success">Open</Badge> until {state.until}
      </p>
    );
  }
  const day = ["today", "tomorrow"][state.daysAhead] ?? `on ${dayNames[state.weekday]}`;
  return (
    <p className={styles["line"]}>
      <Badge tone="neutral">Closed</Badge> {state.reason ? `${state.reason}; ` : ""}opens {day} at {state.at}
    </p>
  );
}
