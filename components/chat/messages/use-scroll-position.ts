import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { mediaQuery } from "../appearance/media-query.ts";

/**
 * A jump is over after this long without a scroll event, in milliseconds. For browsers without `scrollend`
 * (Safari before 26.2).
 */
const scrollEndDelay = 200;

/** Closer to its end than this, in pixels, the list follows new messages. */
const endTolerance = 40;

/** The list jumps to its end from further away, in pixels: a smooth scroll would take seconds. */
const maxGlideDistance = 4_000;

/** The part that the reader sees: the list's end, another part of its last row, or earlier rows. */
type ScrollPlace = "end" | "last" | "earlier";

export interface ScrollPosition {
  place: ScrollPlace;
  /** Glides over a short distance, unless `"instant"` is given. */
  jumpToEnd(behavior?: "instant"): void;
}

/**
 * `column-reverse` makes the scroll position count from the newest message, so content added above moves
 * nothing and the list follows its end. This hook handles two more cases: while the reader is further up,
 * content that grows or shrinks below must not move the text in view, and what a control unfolds must not
 * move that control.
 */
export function useScrollPosition(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): ScrollPosition {
  const [place, setPlace] = useState<ScrollPlace>("end");
  const scrolling = useRef<ReturnType<typeof watchScrolling>>(null);
  useLayoutEffect(() => {
    if (scroller.current === null || content.current === null) return;
    scrolling.current = watchScrolling(scroller.current, content.current, setPlace);
    return scrolling.current.stop;
  }, [scroller, content]);
  const jumpToEnd = useCallback((behavior?: "instant") => scrolling.current?.jumpToEnd(behavior), []);
  return { place, jumpToEnd };
}

function watchScrolling(list: HTMLElement, content: HTMLElement, onPlace: (place: ScrollPlace) => void) {
  /**
   * The element at the top of the view, or the control that was just pressed, and its distance from the
   * content's end. Null at the end.
   */
  let anchor: { element: Element; fromEnd: number } | null = null;
  /** No anchor is held during a jump to the end: growing content would stop the jump. */
  let isJumping = false;
  let frame = 0;
  let pause = 0;

  const hold = (element: Element | null) => {
    anchor = element && { element, fromEnd: fromEnd(element, list) };
  };

  /** Scrolls so that the anchor stays where it was in the view. */
  function keepPosition(): void {
    if (anchor === null || !anchor.element.isConnected) return;
    const now = fromEnd(anchor.element, list);
    const growth = now - anchor.fromEnd;
    if (Math.abs(growth) < 1) return;
    anchor.fromEnd = now;
    list.scrollTop += growth;
  }

  function settle(): void {
    keepPosition();
    const atEnd = Math.abs(list.scrollTop) < endTolerance;
    onPlace(atEnd ? "end" : isLastRowInView(list) ? "last" : "earlier");
    if (atEnd) isJumping = false;
    if (!isJumping) hold(atEnd ? null : elementAtTop(list));
  }

  const onPress = ({ target }: MouseEvent) => {
    const control = target instanceof Element ? target.closest("[data-row] :is(summary, button)") : null;
    if (control === null) return;
    hold(control);
    cancelAnimationFrame(frame);
    // The next frame lays out what the press has unfolded.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(settle);
    });
  };
  const onScroll = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(settle);
    clearTimeout(pause);
    if (isJumping && !("onscrollend" in list)) pause = window.setTimeout(onScrollEnd, scrollEndDelay);
  };
  // The scroll has arrived, or the reader has stopped it.
  const onScrollEnd = () => {
    isJumping = false;
    onScroll();
  };
  const stopped = new AbortController();
  const { signal } = stopped;
  // Before the control's own handler, which may unfold something or jump to the end.
  list.addEventListener("click", onPress, { capture: true, signal });
  list.addEventListener("scroll", onScroll, { passive: true, signal });
  list.addEventListener("scrollend", onScrollEnd, { signal });
  // Runs between layout and paint, so the reader never sees the content jump.
  const observer = new ResizeObserver(keepPosition);
  observer.observe(content);
  return {
    jumpToEnd(behavior?: "instant") {
      anchor = null;
      isJumping = Math.abs(list.scrollTop) >= 1;
      const isStill =
        behavior === "instant" ||
        Math.abs(list.scrollTop) > maxGlideDistance ||
        mediaQuery("(prefers-reduced-motion: reduce)")?.matches;
      list.scrollTo({ top: 0, behavior: isStill ? "instant" : "smooth" });
    },
    stop() {
      cancelAnimationFrame(frame);
      clearTimeout(pause);
      stopped.abort();
      observer.disconnect();
    },
  };
}

/** The element's position when the list is at its end: negative, in pixels. Scrolling does not change it. */
function fromEnd(element: Element, list: Element): number {
  return element.getBoundingClientRect().top - list.getBoundingClientRect().bottom + list.scrollTop;
}

function isLastRowInView(list: HTMLElement): boolean {
  const last = Array.from(list.querySelectorAll("[data-row]")).at(-1);
  return last !== undefined && last.getBoundingClientRect().top < list.getBoundingClientRect().bottom;
}

/** The row at the top of the view, or in its middle if there is none at the top. */
function elementAtTop(list: Element): Element | null {
  const { left, top, width, height } = list.getBoundingClientRect();
  const root = list.getRootNode();
  const tree = root instanceof ShadowRoot ? root : document;
  const hits = [12, height / 2].flatMap((y) => tree.elementsFromPoint(left + width / 2, top + y));
  return (
    hits.map((hit) => hit.closest("[data-row]")).find((row) => row !== null && list.contains(row)) ?? null
  );
}
