import { type RefObject, useEffect } from "react";
import { listen } from "../../../lib/engine/listen.ts";

/**
 * Gives the panel the visible height: on phones the on-screen keyboard covers the lower part of the page.
 * Pinch zoom reduces that height, too; then the panel keeps its size and the customer pans.
 */
export function useVisibleHeight(element: RefObject<HTMLElement | null>, isFullScreen: boolean): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    const panel = element.current;
    if (viewport === null || panel === null || !isFullScreen) return;
    const fit = () => {
      const { height, offsetTop, scale } = viewport;
      panel.style.setProperty("--_visible-height", `${height * scale}px`);
      panel.style.setProperty("--_visible-top", scale > 1 ? "0" : `${offsetTop}px`);
    };
    fit();
    return listen(viewport, "resize scroll", fit);
  }, [element, isFullScreen]);
}
