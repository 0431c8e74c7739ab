/** Functions for a page, which record what a live region announces. */

export function recordAnnouncements(tone: "polite" | "urgent"): void {
  const region = document.querySelector(`[data-announcements="${tone}"]`);
  const heard: string[] = [];
  Object.assign(window, { heard });
  if (region === null) throw new Error("the live region must exist before its first announcement");
  new MutationObserver(() => heard.push(region.textContent ?? "")).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  });
}

export function heardAnnouncements(): string[] {
  return (window as unknown as { heard: string[] }).heard;
}
