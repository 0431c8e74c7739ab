import type { Browser } from "../browser/browser.ts";
import type { FailureOf } from "../failure.ts";
import type { Tabs } from "./tabs.ts";

export interface LeadDeps {
  browser: Pick<Browser, "isVisible" | "on">;
  tabs: Tabs;
  failureOf: FailureOf;
  /** Withdraws the tab. */
  signal: AbortSignal;
}

/**
 * Competes with other tabs for the leadership of `name`; `onChange` receives the outcome. A tab takes the
 * lead when the customer comes to it, because hidden tabs poll slowly, and one that a dialog has stopped not
 * at all. When the leader closes, a waiting tab follows.
 */
export function competeForLead(
  { browser: { isVisible, on }, tabs, failureOf, signal: withdrawn }: LeadDeps,
  name: string,
  onChange: (leads: boolean) => void,
): void {
  let leads = false;
  /** The current attempt; replaced when the tab becomes visible. */
  let attempt = new AbortController();

  function setLeads(now: boolean): void {
    if (leads !== now) onChange(now);
    leads = now;
  }

  async function compete(steals: boolean, signal: AbortSignal): Promise<void> {
    const lead = (ended: AbortSignal) => {
      // A lock that is stolen ignores the signal.
      if (ended.aborted) return Promise.resolve();
      setLeads(true);
      return new Promise<void>((resolve) => {
        ended.addEventListener("abort", () => resolve(), { once: true });
      });
    };
    await tabs.exclusively(name, lead, { steal: steals, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    // A replaced attempt may end after its successor has taken the lead.
    if (signal === attempt.signal) setLeads(false);
    if (!signal.aborted) await compete(false, signal);
  }

  function start(steals: boolean): void {
    attempt.abort();
    attempt = new AbortController();
    compete(steals, attempt.signal).catch(failureOf);
  }

  const stopListening = on("return", () => {
    if (!leads) start(true);
  });
  withdrawn.addEventListener("abort", () => {
    stopListening();
    attempt.abort();
  });
  start(isVisible());
}
