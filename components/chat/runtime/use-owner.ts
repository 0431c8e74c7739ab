import { useCallback, useEffect, useState } from "react";
import { type Customer, startSession } from "./session.ts";
import { createTabs } from "./tabs.ts";

const ownerName = "shop-chat:1:owner";
const guest = "guest";

/**
 * Whose chats these are: the signed-in customer's ID, or `guest`. What was stored for one is not shown to the next.
 * Asked of the server whenever the chat is opened, and when the shop says that the customer changed
 * (`window.dispatchEvent(new Event("shop-chat:session"))`).
 */
export function useOwner(isOpen: boolean): string {
  const [owner, setOwner] = useState(readOwner);

  const ask = useCallback(async () => {
    const tabs = createTabs();
    try {
      const { customer } = await startSession(tabs);
      setOwner(writeOwner(customer));
    } finally {
      tabs.close();
    }
  }, []);

  useEffect(() => {
    // Without an answer the chat goes on as it is: its own requests say what is wrong.
    const onSession = () => void ask().catch(() => undefined);
    if (isOpen) onSession();
    const onStorage = (event: StorageEvent) => {
      if (event.key === ownerName) setOwner(readOwner());
    };
    window.addEventListener("shop-chat:session", onSession);
    window.addEventListener("storage", onStorage);
    return () => {
      window.removeEventListener("shop-chat:session", onSession);
      window.removeEventListener("storage", onStorage);
    };
  }, [isOpen, ask]);
  return owner;
}

function readOwner(): string {
  try {
    return localStorage.getItem(ownerName) ?? guest;
  } catch (error) {
    if (error instanceof DOMException) return guest;
    throw error;
  }
}

function writeOwner(customer: Customer | null): string {
  const owner = customer?.id ?? guest;
  try {
    localStorage.setItem(ownerName, owner);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
  return owner;
}
