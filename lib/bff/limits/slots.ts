/**
 * Limits concurrent streams, uploads or downloads per process, session and address. No queue: answers 429
 * if full.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
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

export type Slots = ReturnType<typeof createSlots>;

export interface SlotsOptions {
  count: number;
  perSession: number;
  retryAfterSeconds: number;
}

export function createSlots({ count, perSession, retryAfterSeconds }: SlotsOptions) {
  // All sessions of one address together may take half of the slots.
  const perAddress = Math.ceil(count / 2);
  // Slots in use per session and per address; absent for none.
  const taken = new Map<string, number>();
  let size = 0;

  const isFull = (key: string, limit: number) => (taken.get(key) ?? 0) >= limit;
  const add = (key: string) => void taken.set(key, (taken.get(key) ?? 0) + 1);
  const remove = (key: string) => {
    const rest = (taken.get(key) ?? 0) - 1;
    if (rest > 0) taken.set(key, rest);
    else taken.delete(key);
  };

  return {
    size: () => size,
    /** @throws ChatApiError `rate_limited` */
    take({ session, address }: SlotHolder) {
      const ofSession = `session ${session.id}`;
      const ofAddress = address && `address ${address.host}`;
      const full =
        size >= count ||
        isFull(ofSession, perSession) ||
        (ofAddress !== undefined && isFull(ofAddress, perAddress));
      if (full) throw new ChatApiError("rate_limited", { retryAfterSeconds });
      // The counters that still include this slot.
      const counted = new Set([ofSession, ofAddress].filter((key) => key !== undefined));
      for (const key of counted) add(key);
      size += 1;
      let isReleased = false;
      return {
        leave() {
          if (counted.delete(ofSession)) remove(ofSession);
        },
        release() {
          if (isReleased) return;
          isReleased = true;
          for (const key of counted) remove(key);
          size -= 1;
        },
      };
    },
  };
}
