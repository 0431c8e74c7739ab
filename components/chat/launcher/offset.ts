/** In CSS pixels. */
export interface Offset {
  inline: number;
  block: number;
}

/** Without an offset the style sheet's distances apply. */
export function setOffset({ style }: HTMLElement, offset: Offset | undefined): void {
  for (const axis of ["inline", "block"] as const)
    style.setProperty(`--_offset-${axis}`, offset ? `${offset[axis]}px` : null);
}
