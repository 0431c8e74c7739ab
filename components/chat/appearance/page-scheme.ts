import { mediaQuery } from "./media-query.ts";

export type Scheme = "light" | "dark";

const system = "(prefers-color-scheme: dark)";

/** Reads the page's `color-scheme`. A page that sets none is dark if its background is. */
export function pageScheme(): Scheme {
  const [body, root] = [getComputedStyle(document.body), getComputedStyle(document.documentElement)];
  const [takesLight, takesDark] = ["light", "dark"].map((scheme) => body.colorScheme.includes(scheme));
  if (takesLight || takesDark)
    return takesDark && (!takesLight || mediaQuery(system)?.matches) ? "dark" : "light";
  // A transparent body shows the root's background; a transparent root shows the browser's white canvas.
  const lightness = lightnessOf(body.backgroundColor) ?? lightnessOf(root.backgroundColor) ?? 1;
  return lightness < 0.5 ? "dark" : "light";
}

/**
 * Calls `onChange` after changes of the root's and the body's attributes, after their transitions, and when
 * the system's scheme changes. Returns a function that stops watching.
 */
export function watchPageScheme(onChange: () => void): () => void {
  // Theme switches usually set a class, a style or a data attribute on one of these elements. Their colours
  // may change in a transition.
  const places = [document.documentElement, document.body];
  const observer = new MutationObserver(onChange);
  for (const place of places) observer.observe(place, { attributes: true });
  const stopped = new AbortController();
  document.addEventListener(
    "transitionend",
    ({ target }) => {
      if (places.some((place) => place === target)) onChange();
    },
    stopped,
  );
  mediaQuery(system)?.addEventListener("change", onChange, stopped);
  return () => {
    observer.disconnect();
    stopped.abort();
  };
}

/** Lightness of a computed colour, from 0 to 1; null if the colour is mostly transparent. */
export function lightnessOf(colour: string): number | null {
  const [r = 0, g = 0, b = 0, alpha = 1] = Array.from(colour.matchAll(/(?<!\w)-?[\d.]+(?:e-?\d+)?/g), Number);
  if (alpha < 0.5) return null;
  // The first component of lab(), lch(), oklab() and oklch() is the lightness.
  if (/^(?:ok)?l/.test(colour)) return colour.startsWith("ok") ? r : r / 100;
  const most = colour.startsWith("rgb") ? 255 : 1;
  return (0.3 * r + 0.59 * g + 0.11 * b) / most;
}
