import { useCallback, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { Session } from "./session.ts";

const ownerName = "shop-chat:1:owner";
const guest = "guest";

export interface Owner {
  owner: string;
  /** As this browser knew it last: the server has not been heard yet. */
  isAssumed: boolean;
}

/**
 * Whose chats these are: the signed-in customer's ID, or `guest`. What was stored for one is not shown to the next.
 * Asked of the server before anything else is, whenever the chat is opened, and when the shop says that the customer
 * changed (`window.dispatchEvent(new Event("shop-chat:session"))`).
 */
export function useOwner(session: Session, isOpen: boolean): Owner {
  const [{ owner, isAssumed }, setOwner] = useState(() => ({ owner: readOwner(), isAssumed: true }));

  const ask = useCallback(() => {
    session.start().then(
      (customer) => {
        const found = customer?.id ?? guest;
        writeOwner(found);
        // At once: what the former one's chat is about to ask and to send must not go out in this one's name.
        flushSync(() => setOwner({ owner: found, isAssumed: false }));
      },
      // Without an answer the chat goes on as it is: its own requests say what is wrong.
      () => undefined,
    );
  }, [session]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is no reason to ask again
  useEffect(() => {
    if (isOpen || isAssumed) ask();
    const onStorage = (event: StorageEvent) => {
      if (event.key !== ownerName) return;
      if (event.newValue === null) ask();
      else setOwner({ owner: readOwner(), isAssumed: false });
    };
    window.addEventListener("shop-chat:session", ask);
    window.addEventListener("storage", onStorage);
    return () => {
      window.removeEventListener("shop-chat:session", ask);
      window.removeEventListener("storage", onStorage);
    };
  }, [isOpen, ask]);
  return { owner, isAssumed };
}

function readOwner(): string {
  try {
    return localStorage.getItem(ownerName) ?? guest;
  } catch (error) {
    if (error instanceof DOMException) return guest;
    throw error;
  }
}

function writeOwner(owner: string): void {
  try {
    localStorage.setItem(ownerName, owner);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
