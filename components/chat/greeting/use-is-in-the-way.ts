import { type RefObject, useEffect, useState } from "react";
import { listen } from "../../../lib/engine/listen.ts";

const fields = "input, textarea, select, [contenteditable]";

/** Whether the element lies over a field of the page, or the customer writes in one: a keyboard moves it. */
export function useIsInTheWay(element: RefObject<HTMLElement | null>, isShown: boolean): boolean {
  const [isInTheWay, setInTheWay] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    const check = () => setInTheWay(element.current !== null && isOverField(element.current));
    check();
    const stop = listen(window, "scroll resize focusin focusout", check, { passive: true, capture: true });
    // The page's layout has changed.
    const observer = new ResizeObserver(check);
    observer.observe(document.body);
    return () => {
      stop();
      observer.disconnect();
    };
  }, [element, isShown]);
  return isInTheWay;
}

function isOverField(element: HTMLElement): boolean {
  return Array.from(document.querySelectorAll<HTMLElement>(fields)).some(
    (field) =>
      field.checkVisibility({ visibilityProperty: true }) &&
      (field === document.activeElement || isOver(element, field)),
  );
}

/** Whether the element covers a part of the page's one. */
export function isOver(element: Element, covered: Element): boolean {
  const own = element.getBoundingClientRect();
  const { left, right, top, bottom } = covered.getBoundingClientRect();
  return left < own.right && right > own.left && top < own.bottom && bottom > own.top;
}
