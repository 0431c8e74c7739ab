/**
 * The latest attempt to accept an offer, by chat. The offer's card shows it, whichever component made the
 * request. A failure is kept in the tab: after a reload a refused offer stays refused, and a wait that the
 * server asked for continues.
 */

import { askedUntil, type Failure } from "../failure.ts";
import { tabStorage } from "../storage/storage.ts";
import { isRecord, parseFailure, parseJson, stringOr } from "../storage/stored.ts";

export type OfferAttempt = { confirmationId: string } & (
  | { state: "sending"; waiting: Failure | null }
  | { state: "failed"; failure: Failure }
);

const attempts = new Map<string, OfferAttempt | null>();
const listeners = new Set<() => void>();
const nameOf = (chatId: string) => `offer-failed:${chatId}`;

export function setOfferAttempt(chatId: string | null, attempt: OfferAttempt | null): void {
  if (chatId === null) return;
  attempts.set(chatId, attempt);
  tabStorage.write(nameOf(chatId), attempt && keptFailure(attempt));
  for (const listener of listeners) listener();
}

export function offerAttempt(chatId: string): OfferAttempt | null {
  const known = attempts.get(chatId);
  if (known !== undefined) return known;
  const kept = parseAttempt(tabStorage.read(nameOf(chatId)));
  attempts.set(chatId, kept);
  return kept;
}

/** Calls back after each change. Returns a function that unsubscribes. */
export function onOfferAttempt(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function keptFailure(attempt: OfferAttempt): string | null {
  const { confirmationId } = attempt;
  if (attempt.state === "failed") return JSON.stringify({ confirmationId, failure: attempt.failure });
  const { waiting } = attempt;
  const isAsked = waiting !== null && askedUntil(waiting) !== null;
  return isAsked ? JSON.stringify({ confirmationId, failure: waiting }) : null;
}

function parseAttempt(stored: string | null): OfferAttempt | null {
  const value = parseJson(stored);
  const failure = isRecord(value) ? parseFailure(value["failure"]) : null;
  if (!isRecord(value) || failure === null) return null;
  return { confirmationId: stringOr(value["confirmationId"], ""), state: "failed", failure };
}
