/** Tracks requests and turn streams in flight and drains them on shutdown. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { Session } from "../session/guest-sessions.ts";
import { createSlots, type Slot, type SlotHolder } from "./slots.ts";

/** Ends the stream with this error. May be called again before the stream has ended. */
export type EndStream = (error: ChatApiError) => void;

export type Streams = ReturnType<typeof createStreams>;

/** A slot is freed when a reply has finished, which takes seconds. */
const retryAfterSeconds = 2;

interface OpenStream {
  /** Undefined when its browser has left. */
  sessionId: string | undefined;
  end: EndStream;
}

export interface StreamLimits {
  count: number;
  perSession: number;
}

export function createStreams(limits: StreamLimits) {
  const streams = new Set<OpenStream>();
  const slots = createSlots({ ...limits, retryAfterSeconds });
  let requests = 0;
  // Set once, when the process stops.
  let draining = false;
  let whenIdle: (() => void) | undefined;

  const stopping = () => new ChatApiError("service_unavailable", { retryAfterSeconds });

  return {
    size: () => streams.size,
    /** Counts a request until the returned function is called. */
    enter() {
      requests += 1;
      return () => {
        requests -= 1;
        if (requests === 0) whenIdle?.();
      };
    },
    /**
     * @throws ChatApiError `rate_limited` if the session, the address or the process has too many open
     *   streams.
     */
    open(holder: SlotHolder, end: EndStream): Slot {
      const slot = slots.take(holder);
      const stream: OpenStream = { sessionId: holder.session.id, end };
      streams.add(stream);
      return {
        leave() {
          stream.sessionId = undefined;
          slot.leave();
        },
        release() {
          streams.delete(stream);
          slot.release();
        },
      };
    },
    /** Ends all streams of a guest who has signed in. */
    endAllOf(session: Session) {
      for (const stream of [...streams]) {
        if (stream.sessionId === session.id) stream.end(new ChatApiError("session_required"));
      }
    },
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
      const endStreams = setTimeout(() => {
        for (const stream of [...streams]) stream.end(stopping());
      }, bffLimits.drainTime);
      const giveUp = setTimeout(() => whenIdle?.(), bffLimits.drainTime + bffLimits.closeTime);
      await idle;
      clearTimeout(endStreams);
      clearTimeout(giveUp);
    },
  };
}
