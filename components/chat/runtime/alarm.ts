/** Timers that can end early. */
import type { Failure } from "../../../lib/conversation/failure.ts";

export type Alarm = ReturnType<typeof createAlarm>;

/**
 * What ends a wait early. `network`: the network's return. `news`: that, or news such as the reply to another
 * message. `time`: nothing, because the server asked for the wait.
 */
export type Until = "time" | "network" | "news";

/** What ends the wait before a failed request is repeated. */
export function endOfWait({ code, retryAfterSeconds }: Failure): Until {
  if (code === "turn_in_progress") return "news";
  return retryAfterSeconds === null ? "network" : "time";
}

export function createAlarm() {
  /** Each wait's end function, and what ends it. */
  const sleeping = new Map<() => void, Until>();
  return {
    sleep: (milliseconds: number, until: Until = "network") =>
      new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          sleeping.delete(end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        sleeping.set(end, until);
      }),
    /** Ends the waits for this event; without it, every wait. */
    wake(event?: "network" | "news") {
      for (const [end, until] of [...sleeping]) {
        const isMeant = event === undefined || until === "news" || until === event;
        if (isMeant) end();
      }
    },
  };
}
