import { type RefObject, useEffect } from "react";
import { listen } from "../../../lib/engine/listen.ts";
import { focusNext } from "./focus-next.ts";

/**
 * A button that disappears when it is pressed would send the focus to the top of the page. This hook keeps it
 * in the panel (`focus-next.ts`).
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
    const observer = new MutationObserver((records) => {
      if (!(focused instanceof Node) || focused.isConnected) return;
      const lost = focused;
      focused = null;
      const removal = records.find(({ removedNodes }) =>
        [...removedNodes].some((node) => node.contains(lost)),
      );
      if (removal === undefined) return;
      focusNext(removal, focusComposer);
    });
    const stop = listen(element, "focusin", ({ target }) => {
      focused = target;
    });
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      stop();
      observer.disconnect();
    };
  }, [panel, isOpen, focusComposer]);
}
