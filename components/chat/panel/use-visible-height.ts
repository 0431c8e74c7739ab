import { type RefObject, useEffect } from "react";

/**
 * On phones the on-screen keyboard covers the page's lower part: the panel takes the part that is left. Fingers that enlarge
 * the page make the visible part smaller, too: then the panel stays as it is, to be moved about in.
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
    viewport.addEventListener("resize", fit);
    viewport.addEventListener("scroll", fit);
    return () => {
      viewport.removeEventListener("resize", fit);
      viewport.removeEventListener("scroll", fit);
      panel.style.removeProperty("--_visible-height");
      panel.style.removeProperty("--_visible-top");
    };
  }, [element, isFullScreen]);
}
