/** An element around the chat that goes to full screen lies above what was in the top layer before. */
export function showAboveFullScreen(root: Element): void {
  const tree = root.getRootNode();
  const inPage = tree instanceof ShadowRoot ? tree.host : root;
  if (document.fullscreenElement?.contains(inPage) !== true) return;
  for (const shown of root.querySelectorAll<HTMLElement>(":popover-open")) {
    shown.hidePopover();
    shown.showPopover();
  }
}
