import { type RefObject, useEffect } from "react";

const focusable = "a[href],button:enabled,input,textarea,select,summary";

/** Farther from its end than this, in pixels, the list of messages is being read. */
const readingFrom = 40;

/**
 * A button that goes away when it is pressed would take the keyboard's focus with it. It stays in the task that the button
 * was part of, on what stands before it; else with the message list while that is read, else in the message field.
 */
export function useFocusKept(
  panel: RefObject<HTMLElement | null>,
  isOpen: boolean,
  focusComposer: () => void,
): void {
  useEffect(() => {
    const element = panel.current;
    if (element === null || !isOpen) return;
    let focused: EventTarget | null = null;
    const onFocus = ({ target }: FocusEvent) => {
      focused = target;
    };
    const observer = new MutationObserver((records) => {
      if (!(focused instanceof Node) || focused.isConnected) return;
      const lost = focused;
      focused = null;
      const removal = records.find(({ removedNodes }) =>
        [...removedNodes].some((node) => node.contains(lost)),
      );
      // What comes in its place may want the focus itself.
      requestAnimationFrame(() => {
        const place = removal?.target;
        if (document.activeElement !== document.body || !(place instanceof Element)) return;
        const list = place.closest<HTMLElement>("section[tabindex]");
        const next = nearestInTask(place, removal?.previousSibling ?? null);
        if (next) next.focus();
        else if (list && list.scrollTop < -readingFrom) list.focus({ preventScroll: true });
        else focusComposer();
      });
    });
    element.addEventListener("focusin", onFocus);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("focusin", onFocus);
      observer.disconnect();
    };
  }, [panel, isOpen, focusComposer]);
}

/**
 * A task is a form, an offer, a list of files or chats. The list of messages and the form of the message field are none:
 * there one is when nothing else is to be done.
 */
function nearestInTask(place: Element, before: Node | null): HTMLElement | undefined {
  const task = place.closest("ul,form,section");
  if (!task || task.matches("[tabindex],[data-composer]")) return undefined;
  const found = [...task.querySelectorAll<HTMLElement>(focusable)];
  const earlier = found.findLast(
    (each) =>
      before?.contains(each) ||
      (before?.compareDocumentPosition(each) ?? 0) & Node.DOCUMENT_POSITION_PRECEDING,
  );
  return earlier ?? found[0] ?? (task.parentElement ? nearestInTask(task.parentElement, task) : undefined);
}
