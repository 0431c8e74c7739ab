"use client";

import { useEffect, useRef } from "react";

/**
 * Tells the chat that the customer has signed in or out since the page was opened. Without this event the
 * chat would notice with its next response, or when this page comes to the front.
 */
export function SessionNotice({ customerId }: { customerId: string | undefined }) {
  const told = useRef(customerId);
  useEffect(() => {
    if (told.current === customerId) return;
    told.current = customerId;
    window.dispatchEvent(new Event("shop-chat:session"));
  }, [customerId]);
  return null;
}
