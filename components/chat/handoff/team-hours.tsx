import { useChat } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./handoff.module.css";

export interface TeamHoursProps {
  /** Null when the team is there now. */
  nextAvailableAt: string | null;
  /** The team's zone; null when it has no hours. */
  timezone: string | null;
}

/** When the team answers, in the customer's own time, and in the team's where that is another. */
export function TeamHours({ nextAvailableAt, timezone }: TeamHoursProps) {
  const { t, format } = useChat();
  const isNow = nextAvailableAt === null || Date.parse(nextAvailableAt) <= Date.now();
  if (isNow)
    return (
      <p className={styles["hours"]}>{timezone === null ? t.handoff.hoursUnknown : t.handoff.offerNow}</p>
    );
  const here = format.weekdayTime(nextAvailableAt);
  if (here === null) return <p className={styles["hours"]}>{t.handoff.hoursUnknown}</p>;
  const there = timezone === null ? null : format.weekdayTime(nextAvailableAt, timezone);
  const isElsewhere = there !== null && there !== here;
  return (
    <p className={styles["hours"]}>
      {fill(t.handoff.offerLater, { time: isElsewhere ? fill(t.handoff.yourTime, { time: here }) : here })}
      {isElsewhere && <small>{fill(t.handoff.hours, { time: there, zone: zoneName(timezone) })}</small>}
    </p>
  );
}

/** `Europe/London` reads London. */
function zoneName(timezone: string | null): string {
  return (timezone ?? "").split("/").at(-1)?.replaceAll("_", " ") ?? "";
}
