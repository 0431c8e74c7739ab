/**
 * Calls back when the page has loaded and the browser is idle, unless the customer asks to save data.
 * Returns a function that cancels.
 */
export function whenIdle(act: () => void): () => void {
  // Only Chromium tells.
  const { connection } = navigator as Navigator & { connection?: { saveData: boolean } };
  if (connection?.saveData) return () => undefined;
  let cancel = () => window.removeEventListener("load", begin);
  function begin(): void {
    // Safari has no idle callbacks.
    const hasIdle = typeof requestIdleCallback === "function";
    const id = hasIdle ? requestIdleCallback(act) : window.setTimeout(act, 1_000);
    cancel = () => (hasIdle ? cancelIdleCallback : clearTimeout)(id);
  }
  if (document.readyState === "complete") begin();
  else window.addEventListener("load", begin, { once: true });
  return () => cancel();
}
