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

/** The span closest to the view, the first of equally close ones; undefined if there are none. */
export function nearestTo<S extends Span>(view: Span, spans: readonly S[]): S | undefined {
  const distance = ({ top, bottom }: Span) => Math.max(0, top - view.bottom, view.top - bottom);
  let nearest: S | undefined;
  for (const span of spans) if (nearest === undefined || distance(span) < distance(nearest)) nearest = span;
  return nearest;
}
