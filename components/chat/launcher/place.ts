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

/**
 * Shows an element with `popover="manual"` above the page, whatever `z-index`, transform, filter and overflow
 * it has around the chat. Browsers without popovers (Firefox before 125) show the element in its place.
 */
export function showOnTop(element: HTMLElement | null): void {
  if (element?.isConnected && "showPopover" in element && !element.matches(":popover-open"))
    element.showPopover();
}

/** Separate from the other icons because `<shop-chat>` draws its button before it loads React. */
export const chatIcon =
  "M4.5 18.5V6.75A2.75 2.75 0 0 1 7.25 4h9.5a2.75 2.75 0 0 1 2.75 2.75v6.5A2.75 2.75 0 0 1 16.75 16H8.5l-4 2.5ZM8.5 8.75h7M8.5 11.75h4.5";
