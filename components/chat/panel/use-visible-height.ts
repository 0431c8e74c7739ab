import { type RefObject, useEffect } from "react";

/** On phones the on-screen keyboard covers the page's lower part: the panel takes the part that is left. */
export function useVisibleHeight(element: RefObject<HTMLElement | null>, isFullScreen: boolean): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    const panel = element.current;
    if (viewport === null || panel === null || !isFullScreen) return;
    const fit = () => {
      panel.style.setProperty("--_visible-height", `${viewport.height}px`);
      panel.style.setProperty("--_visible-top", `${viewport.offsetTop}px`);
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
