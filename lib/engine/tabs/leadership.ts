import type { Browser } from "../browser/browser.ts";
import type { FailureOf } from "../failure.ts";
import type { Tabs } from "./tabs.ts";

export interface LeadDeps {
  browser: Pick<Browser, "isVisible" | "on">;
  tabs: Tabs;
  failureOf: FailureOf;
}

/**
 * Competes with other tabs for the leadership of `name`; `onChange` receives the outcome. A tab takes the
 * lead when it becomes visible, because hidden tabs poll slowly. When the leader closes, a waiting tab
 * follows. Returns a function that withdraws.
 */
export function competeForLead(
  { browser: { isVisible, on }, tabs, failureOf }: LeadDeps,
  name: string,
  onChange: (leads: boolean) => void,
): () => void {
  let leads = false;
  /** The current attempt; replaced when the tab becomes visible. */
  let attempt = new AbortController();

  function setLeads(now: boolean): void {
    if (leads !== now) onChange(now);
    leads = now;
  }

  async function compete(steals: boolean, signal: AbortSignal): Promise<void> {
    const lead = () => {
      // A lock that is stolen ignores the signal.
      if (signal.aborted) return Promise.resolve();
      setLeads(true);
      return new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    };
    const isLost = await tabs.exclusively(name, lead, steals ? { steal: true } : { signal }).then(
      () => false,
      (error: unknown) => {
        if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
        return !signal.aborted;
      },
    );
    // A replaced attempt may end after its successor has taken the lead.
    if (signal === attempt.signal) setLeads(false);
    if (isLost) await compete(false, signal);
  }

  function start(steals: boolean): void {
    attempt.abort();
    attempt = new AbortController();
    compete(steals, attempt.signal).catch(failureOf);
  }

  const stopListening = on("visibility", () => {
    if (isVisible() && !leads) start(true);
  });
  start(isVisible());

  return () => {
    stopListening();
    attempt.abort();
  };
}
