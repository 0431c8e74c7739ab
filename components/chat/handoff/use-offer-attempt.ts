import { useSyncExternalStore } from "react";
import { type OfferAttempt, offerAttempt, onOfferAttempt } from "../../../lib/engine/forms/offer-attempts.ts";

export function useOfferAttempt(chatId: string | null): OfferAttempt | null {
  const read = () => (chatId === null ? null : offerAttempt(chatId));
  return useSyncExternalStore(onOfferAttempt, read, read);
}
