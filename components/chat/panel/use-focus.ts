import { type RefObject, useEffect, useRef } from "react";
import { listen } from "../../../lib/engine/listen.ts";
import { hasOnScreenKeyboard } from "../controls/browser.ts";

/**
 * A button that disappears when it is pressed would send the focus to the top of the page. This hook keeps it
 * in the panel.
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

const focusable = "a[href],button:enabled,input,textarea,select,summary";

/** A customer who has scrolled further than this from the list's end, in pixels, is reading it. */
const readingFrom = 40;

/**
 * Moves the focus when its element is removed: to the entry that takes its place in a list, to the element
 * before it in the same task, else to the message list while the customer reads it, else to the message
 * field.
 */
function focusNext({ target, previousSibling }: MutationRecord, focusComposer: () => void): void {
  // The replacement may take the focus itself.
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body || !(target instanceof Element)) return;
    const list = target.closest<HTMLElement>("section[tabindex]");
    const successor = previousSibling === null ? target.firstChild : previousSibling.nextSibling;
    const next = nearestInTask(target, (target.matches("ul") ? successor : null) ?? previousSibling);
    if (next !== undefined) next.focus();
    else if (list !== null && list.scrollTop < -readingFrom) list.focus({ preventScroll: true });
    else focusComposer();
  });
}

/**
 * A task is a form, an offer, a list of files or chats, or one of its entries. The panel, the message
 * list and the composer are not tasks: the last two get the focus when no task is left.
 */
function nearestInTask(node: Element, before: Node | null): HTMLElement | undefined {
  const task = node.closest("li,ul,form,section,[data-panel]");
  if (task === null || task.matches("[tabindex],[data-composer],[data-panel]")) return undefined;
  const found = [...task.querySelectorAll<HTMLElement>(focusable)];
  const next = found.findLast((each) => before !== null && isUpTo(before, each)) ?? found[0];
  if (next !== undefined || task.parentElement === null) return next;
  return nearestInTask(task.parentElement, task);
}

function isUpTo(node: Node, element: Element): boolean {
  const position = node.compareDocumentPosition(element);
  return node.contains(element) || (position & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}

/**
 * When the conversation comes into view or another chat opens, focuses the composer, unless the customer is
 * working elsewhere on the page. Where this would open an on-screen keyboard, focuses the panel's title.
 */
export function useFocusBack(
  panel: RefObject<HTMLElement | null>,
  composer: RefObject<HTMLElement | null>,
  isListShown: boolean,
  createKey: string,
): void {
  const before = useRef({ isListShown, createKey });
  useEffect(() => {
    const { current } = before;
    before.current = { isListShown, createKey };
    const hasCome = !isListShown && (current.isListShown || current.createKey !== createKey);
    // Another tab may have opened the chat, too; a customer who works elsewhere on the page keeps the focus.
    const isFree = document.activeElement === document.body && panel.current?.matches("[open]");
    if (!hasCome || !(isFree || panel.current?.matches(":focus-within"))) return;
    // The server's first answer brings a conversation, too. The menu would close without the focus.
    if (panel.current?.querySelector("[role=menu]:focus-within")) return;
    if (hasOnScreenKeyboard()) panel.current?.querySelector<HTMLElement>("[data-panel-title]")?.focus();
    else composer.current?.focus();
  }, [panel, composer, isListShown, createKey]);
}
