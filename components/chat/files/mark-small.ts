import type { SyntheticEvent } from "react";

/**
 * Marks a picture smaller than its frame with `data-small`; the style sheet then shows it in its own size.
 */
export function markSmall({ currentTarget: picture }: SyntheticEvent<HTMLImageElement>): void {
  const isSmall = picture.naturalWidth < picture.clientWidth && picture.naturalHeight < picture.clientHeight;
  picture.toggleAttribute("data-small", isSmall);
}
