/** Distances in CSS pixels. */
export interface Offset {
  inline: number;
  block: number;
}

/** Sets the distances. Those of the style sheet apply without an offset. */
export function setOffset({ style }: HTMLElement, offset: Offset | undefined): void {
  for (const axis of ["inline", "block"] as const)
    style.setProperty(`--_offset-${axis}`, offset ? `${offset[axis]}px` : null);
}
