/** Sets the lab's clock to moments in the team's time zone. */
import type { Lab } from "../../channel/lab/lab-client.ts";

export interface LondonTime {
  weekday: string;
  month: number;
  day: number;
  /** Time of day, such as `09:30`. */
  time: string;
}

const quarter = 15 * 60_000;
const year = 400 * 24 * 3_600_000;

/** Advances the channel's clock, which never goes back, to the first quarter hour that fits. */
export async function advanceTo(lab: Lab, isRight: (local: LondonTime) => boolean): Promise<Date> {
  const now = (await lab.now()).getTime();
  for (let at = Math.ceil(now / quarter) * quarter; at < now + year; at += quarter) {
    if (isRight(londonTime(new Date(at)))) return lab.advance(Math.ceil((at - now) / 1000));
  }
  throw new Error("no moment within a year meets the condition");
}

const london = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  weekday: "short",
  month: "numeric",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

function londonTime(at: Date): LondonTime {
  const part = new Map(london.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    weekday: part.get("weekday") ?? "",
    month: Number(part.get("month")),
    day: Number(part.get("day")),
    time: `${part.get("hour")}:${part.get("minute")}`,
  };
}
