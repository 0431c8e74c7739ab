import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** From farther away, in pixels, the way to the end is jumped: it would take seconds to pass by. */
const longestGlide = 4_000;

/** Nearer to the end than this, in pixels, the list follows what comes. */
const endSlack = 40;

/**
 * The list is laid out from its end (`column-reverse`): its scroll position counts from the newest message, so what is
 * added above moves nothing and the end is followed without a line of code. What is left to do: when the reader is
 * somewhere above, what grows below must not push the text away under their eyes.
 */
export function useScrollPosition(scroller: RefObject<HTMLElement | null>, version: unknown) {
  const [isAtEnd, setAtEnd] = useState(true);
  /** The row at the top of the view and its place there. Set while scrolling and after each correction. */
  const anchor = useRef<{ row: Element; top: number } | null>(null);

  const hold = useCallback(() => {
    const list = scroller.current;
    if (list === null) return;
    const atEnd = Math.abs(list.scrollTop) < endSlack;
    setAtEnd(atEnd);
    const { left, top, width } = list.getBoundingClientRect();
    const row = atEnd ? null : rowAt(left + width / 2, top + 12, list);
    anchor.current = row === null ? null : { row, top: row.getBoundingClientRect().top };
  }, [scroller]);

  useEffect(() => {
    const list = scroller.current;
    if (list === null) return;
    let frame = 0;
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(hold);
    };
    list.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      list.removeEventListener("scroll", onScroll);
    };
  }, [scroller, hold]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after every change of what is drawn
  useLayoutEffect(() => {
    const list = scroller.current;
    const held = anchor.current;
    if (list === null || held === null || !held.row.isConnected) return;
    const moved = held.row.getBoundingClientRect().top - held.top;
    if (Math.abs(moved) >= 1) list.scrollTop += moved;
  }, [scroller, version]);

  const jumpToEnd = useCallback(() => {
    const list = scroller.current;
    if (list === null) return;
    const isFar = Math.abs(list.scrollTop) > longestGlide;
    const isStill = isFar || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    list.scrollTo({ top: 0, behavior: isStill ? "instant" : "smooth" });
  }, [scroller]);
  return { isAtEnd, jumpToEnd };
}

function rowAt(x: number, y: number, list: Element): Element | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const row = element.closest("[data-row]");
    if (row !== null && list.contains(row)) return row;
  }
  return null;
}
