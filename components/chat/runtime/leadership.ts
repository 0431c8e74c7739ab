import type { Tabs } from "./tabs.ts";

/**
 * Competes with the other tabs for leading under `name`; `onChange` hears who wins. A tab takes the lead whenever it
 * becomes visible, since hidden tabs poll slowly; when its holder closes, one of the waiting tabs follows.
 * Returns how to leave.
 */
export function competeForLead(tabs: Tabs, name: string, onChange: (leads: boolean) => void): () => void {
  let leads = false;
  /** The attempt under way; replaced when the tab becomes visible. */
  let attempt = new AbortController();

  function setLeads(now: boolean): void {
    if (leads !== now) onChange(now);
    leads = now;
  }

  async function compete(steals: boolean, signal: AbortSignal): Promise<void> {
    const outcome = await tabs.lead(name, { steals, signal }, (lost) => {
      const end = AbortSignal.any([lost, signal]);
      if (end.aborted) return Promise.resolve();
      setLeads(true);
      return new Promise((resolve) => end.addEventListener("abort", () => resolve(), { once: true }));
    });
    setLeads(false);
    if (outcome === "lost" && !signal.aborted) await compete(false, signal);
  }

  function start(steals: boolean): void {
    attempt.abort();
    attempt = new AbortController();
    compete(steals, attempt.signal).catch(reportError);
  }

  const onVisibility = () => {
    if (document.visibilityState === "visible" && !leads) start(true);
  };
  document.addEventListener("visibilitychange", onVisibility);
  start(document.visibilityState === "visible");

  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    attempt.abort();
  };
}
