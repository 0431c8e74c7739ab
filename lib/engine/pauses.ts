/** Timers that can end early. */
import type { Failure } from "./failure.ts";

export type Pauses = ReturnType<typeof createPauses>;

/**
 * The event that ends a wait early. `network`: the network's return. `news`: that, or news such as the reply
 * to another message. `time`: none, because the server asked for the wait.
 */
export type WakeEvent = "time" | "network" | "news";

/** The event that ends the wait before a failed request is repeated. */
export function endOfWait({ code, retryAfterSeconds }: Failure): WakeEvent {
  if (code === "turn_in_progress") return "news";
  return retryAfterSeconds === null ? "network" : "time";
}

export function createPauses() {
  /** Pending waits: the function that ends each, and the event that does so. */
  const sleeping = new Map<() => void, WakeEvent>();
  return {
    sleep: (milliseconds: number, until: WakeEvent = "network") =>
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
