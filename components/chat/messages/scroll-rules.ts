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
