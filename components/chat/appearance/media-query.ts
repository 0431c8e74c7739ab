/** Null where the browser has no media queries, or denies them: nothing matches there. */
export function mediaQuery(query: string): MediaQueryList | null {
  try {
    return window.matchMedia(query);
  } catch {
    return null;
  }
}
