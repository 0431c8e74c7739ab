/** Timers that can end early. */
import { errorRules } from "../chat-api/errors.ts";
import type { Failure } from "./failure.ts";

export type Pauses = ReturnType<typeof createPauses>;

/**
 * The event that ends a wait early. `network`: the network's return. `news`: that, or news such as the reply
 * to another message. `time`: none, because the server asked for the wait.
 */
export type WakeEvent = "time" | "network" | "news";

/** The event that ends the wait before a failed request is repeated. */
export function endOfWait({ code, retryAfterSeconds }: Failure): WakeEvent {
  if (errorRules[code].repeat?.waitingFor === "turn") return "news";
  return retryAfterSeconds === null ? "network" : "time";
}

/** After the signal no wait lasts: what waits looks at the signal itself. */
export function createPauses(signal: AbortSignal) {
  /** Pending waits: the function that ends each, and the event that does so. */
  const sleeping = new Map<() => void, WakeEvent>();
  signal.addEventListener("abort", () => {
    for (const end of [...sleeping.keys()]) end();
  });
  return {
    sleep: (milliseconds: number, until: WakeEvent = "network") =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        const end = () => {
          clearTimeout(timer);
          sleeping.delete(end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        sleeping.set(end, until);
      }),
    /** Ends the waits for this event. */
    wake(event: "network" | "news") {
      for (const [end, until] of [...sleeping]) if (until === "news" || until === event) end();
    },
  };
}
