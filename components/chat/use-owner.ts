import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { guestOwner, ownerOf, type Session } from "../../lib/engine/identity/session.ts";
import { tryStorage } from "../../lib/engine/storage/storage.ts";
import { useReturn } from "./controls/use-visible.ts";

const ownerName = "shop-chat:1:owner";

export interface Owner {
  owner: string;
  /** The last known owner; the server has not answered yet. */
  isAssumed: boolean;
  /** False while a customer's sign-in is only assumed: they may have signed out since. */
  isShown: boolean;
}

/**
 * The owner of these chats. One owner's stored data is not shown to the next. The server is asked before any
 * other request, whenever the chat opens or the page comes to the front, when a response names another caller
 * (`browser-client.ts`), when another tab stores another owner, and when the shop announces a change
 * (`window.dispatchEvent(new Event("shop-chat:session"))`).
 */
export function useOwner(
  session: Session,
  { isOpen, isAwake }: { isOpen: boolean; isAwake: boolean },
): Owner {
  const [state, setState] = useState<Owner>(() => {
    const owner = storedOwner() ?? guestOwner;
    return { owner, isAssumed: true, isShown: owner === guestOwner };
  });
  /** A ref, because an answer must not make the effect below ask again. */
  const isAnswered = useRef(false);

  useEffect(
    () =>
      session.onCaller((caller) => {
        const owner = ownerOf(caller);
        isAnswered.current = true;
        // Other tabs receive the change, and ask the server. A guest is stored too: `forgetOwner` tells other
        // tabs by removing the entry.
        if (owner !== storedOwner()) writeOwner(owner);
        // At once: requests of the former owner's chat must not go out in the new owner's name.
        flushSync(() => setState({ owner, isAssumed: false, isShown: true }));
      }),
    [session],
  );

  const ask = useCallback(() => {
    if (!isAwake) return;
    // Without an answer the chat continues: its own requests show what is wrong.
    session.start().catch(() => setState((known) => ({ ...known, isShown: true })));
  }, [session, isAwake]);
  useReturn(ask);

  useEffect(() => {
    if (isOpen || !isAnswered.current) ask();
    const onStorage = (event: StorageEvent) => {
      if (event.key === ownerName) ask();
    };
    window.addEventListener("shop-chat:session", ask);
    window.addEventListener("storage", onStorage);
    return () => {
      window.removeEventListener("shop-chat:session", ask);
      window.removeEventListener("storage", onStorage);
    };
  }, [isOpen, ask]);
  return state;
}

function storedOwner(): string | null {
  return tryStorage(() => localStorage.getItem(ownerName));
}

function writeOwner(owner: string): void {
  tryStorage(() => localStorage.setItem(ownerName, owner));
}
