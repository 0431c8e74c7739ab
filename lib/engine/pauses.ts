/** Timers that can end early. */
import { errorRules } from "../chat-api/errors.ts";
import { sleep } from "../chat-client/retry.ts";
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

/** Creates waits that end with the signal, at which their callers look themselves. */
export function createPauses(signal: AbortSignal) {
  const ends = { network: new AbortController(), news: new AbortController() };
  return {
    sleep(milliseconds: number, until: WakeEvent = "network"): Promise<void> {
      const early = { time: [], network: [ends.network], news: [ends.network, ends.news] }[until];
      return sleep(milliseconds, AbortSignal.any([signal, ...early.map((end) => end.signal)]));
    },
    /** Ends the waits for this event. */
    wake(event: "network" | "news") {
      const ended = ends[event];
      ends[event] = new AbortController();
      ended.abort();
    },
  };
}
