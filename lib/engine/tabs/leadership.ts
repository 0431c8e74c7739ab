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

/** Milliseconds until an offer is taken: a tab may hear of it before it is told that it has lost the lead. */
const afterOffer = 100;

/**
 * Competes with other tabs for the leadership of `name`; `onChange` receives the outcome. A tab takes the
 * lead when the customer comes to it, because hidden tabs poll slowly, and one that a dialog has stopped not
 * at all. When the leader closes, a waiting tab follows. A hidden leader offers the lead to visible tabs: a
 * tab that was stopped may take it late, and one that waits may get it before a visible one.
 */
export function competeForLead(
  { browser: { isVisible, on }, tabs, failureOf, signal: withdrawn }: LeadDeps,
  name: string,
  onChange: (leads: boolean) => void,
): void {
  let leads = false;
  let taking: ReturnType<typeof setTimeout> | undefined;
  /** The current attempt; replaced when the tab becomes visible. */
  let attempt = new AbortController();

  function setLeads(now: boolean): void {
    if (leads !== now) onChange(now);
    leads = now;
  }

  function offer(): void {
    if (leads && !isVisible()) tabs.offer(name);
  }

  async function compete(steals: boolean, signal: AbortSignal): Promise<void> {
    const lead = (ended: AbortSignal) => {
      // A lock that is stolen ignores the signal.
      if (ended.aborted) return Promise.resolve();
      setLeads(true);
      offer();
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

  function take(): void {
    if (!leads) start(true);
  }

  function takeOffer(offered: string): void {
    if (offered !== name) return;
    clearTimeout(taking);
    taking = setTimeout(() => {
      if (isVisible()) take();
    }, afterOffer);
  }

  const stops = [on("return", take), on("visibility", offer), tabs.onOffer(takeOffer)];
  withdrawn.addEventListener("abort", () => {
    for (const stop of stops) stop();
    clearTimeout(taking);
    attempt.abort();
  });
  start(isVisible());
}
