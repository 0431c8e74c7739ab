/**
 * Limits concurrent streams, uploads or downloads per process, session and address. No queue: answers 429
 * if full.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { ChatEvent } from "../observability/observe.ts";
import type { Session } from "../session/guest-sessions.ts";
import type { CallerAddress } from "./caller-address.ts";

/** The caller of the request. */
export interface SlotHolder {
  session: Session;
  address: CallerAddress | undefined;
}

export interface Slot {
  /**
   * Called when the browser has left. A stream that waits for its acknowledgement still counts for the
   * process and the address, but no longer for its session, so that a customer who reloads the page can send
   * the next message.
   */
  leave(): void;
  /** Called when the request has ended. */
  release(): void;
}

/** Ends a request with this error. May be called again before it has ended. */
type EndSlot = (error: ChatApiError) => void;

/** Seconds after which a refused caller may come back: uploads, downloads and replies take about as long. */
const slotRetrySeconds = 2;

interface TakenSlot {
  /** Undefined when its browser has left. */
  sessionId: string | undefined;
  host: string | undefined;
  end: EndSlot | undefined;
}

export function createSlots({ count, perSession }: { count: number; perSession: number }) {
  // All sessions of one address together may take half of the slots.
  const perAddress = Math.ceil(count / 2);
  const taken = new Set<TakenSlot>();
  const countOf = (isMeant: (slot: TakenSlot) => boolean) => [...taken].filter(isMeant).length;

  return {
    size: () => taken.size,
    /**
     * @param end Ends the request early, see `endAll`.
     * @throws ChatApiError `rate_limited`
     */
    take({ session, address }: SlotHolder, end?: EndSlot): Slot {
      const slot: TakenSlot = { sessionId: session.id, host: address?.host, end };
      const isFull =
        taken.size >= count ||
        countOf(({ sessionId }) => sessionId === session.id) >= perSession ||
        (address !== undefined && countOf(({ host }) => host === address.host) >= perAddress);
      if (isFull) throw new ChatApiError("rate_limited", { retryAfterSeconds: slotRetrySeconds });
      taken.add(slot);
      return {
        leave() {
          slot.sessionId = undefined;
        },
        release: () => void taken.delete(slot),
      };
    },
    /** Ends the requests of this session, or of all. */
    endAll(error: ChatApiError, session?: Session) {
      for (const { sessionId, end } of [...taken])
        if (session === undefined || sessionId === session.id) end?.(error);
    },
  };
}

/** Tracks requests and turn streams in flight and drains them on shutdown. */
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
