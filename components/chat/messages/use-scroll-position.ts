import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** From farther away, in pixels, the way to the end is jumped: it would take seconds to pass by. */
const longestGlide = 4_000;

/** A jump without news for so long, in milliseconds, is over where the browser does not say so (Safari before 26.2). */
const longestPause = 200;

/** Nearer to the end than this, in pixels, the list follows what comes. */
const endSlack = 40;

export interface ScrollPosition {
  isAtEnd: boolean;
  /** Glides where that is a short way, unless `"instant"` is asked for. */
  jumpToEnd(behavior?: "instant"): void;
  /** What is on screen now stays there. For whoever has scrolled the list; what the reader scrolls is held by itself. */
  holdPlace(): void;
}

/**
 * The list is laid out from its end (`column-reverse`): its scroll position counts from the newest message, so what is
 * added above moves nothing and the end is followed without a line of code. What is left to do: when the reader is
 * somewhere above, what grows or shrinks below must not move the text under their eyes.
 */
export function useScrollPosition(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): ScrollPosition {
  const [isAtEnd, setAtEnd] = useState(true);
  /** What stands at the top of the view and how far it is from the content's end. Null at the end. */
  const anchor = useRef<{ element: Element; fromEnd: number } | null>(null);
  /** On the way to the end no place is held: what grows meanwhile would stop it. */
  const isJumping = useRef(false);

  /** Undoes what has moved the anchor since it was taken. */
  const keepPlace = useCallback(() => {
    const list = scroller.current;
    const held = anchor.current;
    if (list === null || held === null || !held.element.isConnected) return;
    const now = fromEnd(held.element, list);
    const grown = now - held.fromEnd;
    if (Math.abs(grown) < 1) return;
    held.fromEnd = now;
    list.scrollTop += grown;
  }, [scroller]);

  const holdPlace = useCallback(() => {
    const list = scroller.current;
    if (list === null) return;
    const atEnd = Math.abs(list.scrollTop) < endSlack;
    setAtEnd(atEnd);
    if (atEnd) isJumping.current = false;
    if (isJumping.current) return;
    const element = atEnd ? null : elementAtTop(list);
    anchor.current = element === null ? null : { element, fromEnd: fromEnd(element, list) };
  }, [scroller]);

  useEffect(() => {
    const list = scroller.current;
    if (list === null || content.current === null) return;
    let frame = 0;
    let pause = 0;
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        keepPlace();
        holdPlace();
      });
      clearTimeout(pause);
      if (isJumping.current && !("onscrollend" in list)) pause = window.setTimeout(onScrollEnd, longestPause);
    };
    // Called between layout and paint: whatever has changed its height, the reader never sees the jump.
    const observer = new ResizeObserver(keepPlace);
    // Arrived, or stopped by the reader.
    const onScrollEnd = () => {
      isJumping.current = false;
      onScroll();
    };
    list.addEventListener("scroll", onScroll, { passive: true });
    list.addEventListener("scrollend", onScrollEnd);
    observer.observe(content.current);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(pause);
      list.removeEventListener("scroll", onScroll);
      list.removeEventListener("scrollend", onScrollEnd);
      observer.disconnect();
    };
  }, [scroller, content, holdPlace, keepPlace]);

  const jumpToEnd = useCallback(
    (behavior?: "instant") => {
      const list = scroller.current;
      if (list === null) return;
      anchor.current = null;
      isJumping.current = Math.abs(list.scrollTop) >= 1;
      const isFar = Math.abs(list.scrollTop) > longestGlide;
      const isStill =
        behavior === "instant" || isFar || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      list.scrollTo({ top: 0, behavior: isStill ? "instant" : "smooth" });
    },
    [scroller],
  );
  return { isAtEnd, jumpToEnd, holdPlace };
}

/** Where the element is when the list is scrolled to its end: negative, in pixels. Scrolling does not change it. */
function fromEnd(element: Element, list: Element): number {
  return element.getBoundingClientRect().top - list.getBoundingClientRect().bottom + list.scrollTop;
}

/**
 * The row at the top of the view, or below the list's own beginning if that is in view; the chunk that keeps the place of
 * rows only where there is none: a chunk loses its line with the day when earlier messages of that day come before it.
 */
function elementAtTop(list: Element): Element | null {
  const { left, top, width, height } = list.getBoundingClientRect();
  const hits = [12, height / 2].flatMap((y) => document.elementsFromPoint(left + width / 2, top + y));
  const found = ["[data-row]", "[data-chunk]"].flatMap((kind) => hits.map((hit) => hit.closest(kind)));
  return found.find((element) => element !== null && list.contains(element)) ?? null;
}
