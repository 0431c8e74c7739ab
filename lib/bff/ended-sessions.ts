/**
 * Sessions that ended before their time: a copy of the cookie is worth nothing afterwards. A memory and no store, hence
 * bounded, in a way that lets nobody push another customer's sessions out of it: who has signed in pushes out their own,
 * and guests, of whom anyone can be as many as they like, push out guests.
 */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { customerOfUserId } from "./identity.ts";
import { bffLimits } from "./limits.ts";

/** What is needed of one. */
interface Ended {
  userId: string;
  seal: string;
}

export interface EndedSessions {
  add(session: Ended): void;
  has(session: Ended): boolean;
}

/** How many are remembered. */
type Bounds = Record<"endedGuestSessions" | "endedCustomers" | "endedSessionsPerCustomer", number>;

export function createEndedSessions(bounds: Readonly<Bounds> = bffLimits): EndedSessions {
  const guests = new LRUCache<string, true>({ max: bounds.endedGuestSessions });
  // Of each customer the latest few, by their `userId`.
  const customers = new LRUCache<string, readonly string[]>({ max: bounds.endedCustomers });
  const isGuest = ({ userId }: Ended) => customerOfUserId(userId) === undefined;
  return {
    add(session) {
      const key = keyOf(session);
      if (isGuest(session)) guests.set(key, true);
      else {
        const before = customers.get(session.userId) ?? [];
        customers.set(session.userId, [key, ...before].slice(0, bounds.endedSessionsPerCustomer));
      }
    },
    has(session) {
      const key = keyOf(session);
      // Asking makes it younger: a copy that somebody tries is not the one to forget.
      if (isGuest(session)) return guests.get(key) ?? false;
      return customers.get(session.userId)?.includes(key) ?? false;
    },
  };
}

/** Short, so that many find room. */
function keyOf({ seal }: Ended): string {
  return createHash("sha256").update(seal).digest("base64url").slice(0, 22);
}
