export type Scheme = "light" | "dark";

const system = "(prefers-color-scheme: dark)";

/** Reads the page's `color-scheme`. A page that sets none is dark if its background is. */
export function pageScheme(): Scheme {
  const [body, root] = [getComputedStyle(document.body), getComputedStyle(document.documentElement)];
  const takesLight = body.colorScheme.includes("light");
  const takesDark = body.colorScheme.includes("dark");
  if (takesLight && takesDark) return matchMedia(system).matches ? "dark" : "light";
  if (takesLight || takesDark) return takesDark ? "dark" : "light";
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
  const places: EventTarget[] = [document.documentElement, document.body];
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true });
  observer.observe(document.body, { attributes: true });
  const onTransition = ({ target }: Event) => {
    if (target !== null && places.includes(target)) onChange();
  };
  document.addEventListener("transitionend", onTransition);
  const query = matchMedia(system);
  query.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    document.removeEventListener("transitionend", onTransition);
    query.removeEventListener("change", onChange);
  };
}

/** Lightness of a computed colour, from 0 to 1; null if the colour is mostly transparent. */
export function lightnessOf(colour: string): number | null {
  const [r = 0, g = 0, b = 0, alpha = 1] = Array.from(colour.matchAll(/(?<!\w)-?[\d.]+(?:e-?\d+)?/g), Number);
  if (alpha < 0.5) return null;
  // The first component of these formats is the lightness.
  if (/^(?:lab|lch)/.test(colour)) return r / 100;
  if (colour.startsWith("okl")) return r;
  const most = colour.startsWith("rgb") ? 255 : 1;
  return (0.3 * r + 0.59 * g + 0.11 * b) / most;
}
