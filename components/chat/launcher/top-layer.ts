/**
 * Shows an element with `popover="manual"` above the page, whatever `z-index`, transform, filter and overflow
 * it has around the chat. Browsers without popovers (Firefox before 125) show the element in its place.
 */
export function showOnTop(element: HTMLElement | null): void {
  if (element?.isConnected && "showPopover" in element && !element.matches(":popover-open"))
    element.showPopover();
}
