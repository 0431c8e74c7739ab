/** Tracks requests and turn streams in flight and drains them on shutdown. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { ChatEvent } from "../observability/observe.ts";
import type { Session } from "../session/guest-sessions.ts";
import { createSlots, slotRetrySeconds } from "./slots.ts";

export function createStreams(limits: { count: number; perSession: number }) {
  const slots = createSlots(limits);
  let requests = 0;
  // Set once, when the process stops.
  let draining = false;
  let whenIdle: (() => void) | undefined;

  const stopping = () => new ChatApiError("service_unavailable", { retryAfterSeconds: slotRetrySeconds });

  return {
    size: slots.size,
    /** A stream is ended if the process stops or its guest signs in. */
    open: slots.take,
    /** Counts the requests in flight. */
    observe({ type }: ChatEvent) {
      if (type === "request_started") requests += 1;
      if (type !== "request") return;
      requests -= 1;
      if (requests === 0) whenIdle?.();
    },
    /** Ends all streams of a guest who has signed in. */
    endAllOf: (session: Session) => slots.endAll(new ChatApiError("session_required"), session),
    /** @throws ChatApiError `service_unavailable` when the process is stopping. */
    requireOpen() {
      if (draining) throw stopping();
    },
    /**
     * Refuses new requests, lets running ones finish for a while, then ends the remaining streams. Resolves
     * when no request is left, or shortly after the streams were ended.
     */
    async drain() {
      draining = true;
      if (requests === 0) return;
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      const endStreams = setTimeout(() => slots.endAll(stopping()), bffLimits.drainTime);
      const giveUp = setTimeout(() => whenIdle?.(), bffLimits.drainTime + bffLimits.closeTime);
      await idle;
      clearTimeout(endStreams);
      clearTimeout(giveUp);
    },
  };
}
