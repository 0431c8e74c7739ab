/** The scroll rules of the message list, in pixels. Scroll positions count from its end: 0, then negative. */

/** From further away the list jumps to its end: a smooth scroll would take seconds. */
const maxGlideDistance = 4_000;

/** Closer to its end than this, the list follows new messages. */
const endTolerance = 40;

export function isNearEnd(scrollTop: number): boolean {
  return Math.abs(scrollTop) < endTolerance;
}

export function glidesToEnd(scrollTop: number): boolean {
  return Math.abs(scrollTop) <= maxGlideDistance;
}

/** The vertical extent of an element on screen. */
export interface Span {
  top: number;
  bottom: number;
}

/** Index of the place closest to the view, the first of equal ones. Undefined if there are none. */
export function nearestTo<Place extends Span>(view: Span, places: readonly Place[]): Place | undefined {
  const distance = ({ top, bottom }: Span) => Math.max(0, top - view.bottom, view.top - bottom);
  let nearest: Place | undefined;
  for (const place of places)
    if (nearest === undefined || distance(place) < distance(nearest)) nearest = place;
  return nearest;
}
