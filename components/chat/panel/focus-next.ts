const focusable = "a[href],button:enabled,input,textarea,select,summary";

/** Farther from its end than this, in pixels, the list of messages is being read. */
const readingFrom = 40;

/**
 * Where one goes on when what had the focus was removed: in the task that it was part of, on what stands before it; else
 * with the message list while that is read, else in the message field.
 */
export function focusNext({ target, previousSibling }: MutationRecord, focusComposer: () => void): void {
  // What comes in its place may want the focus itself.
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body || !(target instanceof Element)) return;
    const list = target.closest<HTMLElement>("section[tabindex]");
    const next = nearestInTask(target, previousSibling);
    if (next !== undefined) next.focus();
    else if (list !== null && list.scrollTop < -readingFrom) list.focus({ preventScroll: true });
    else focusComposer();
  });
}

/**
 * A task is a form, an offer, a list of files or chats. The list of messages and the form of the message field are none:
 * there one is when nothing else is to be done.
 */
function nearestInTask(place: Element, before: Node | null): HTMLElement | undefined {
  const task = place.closest("ul,form,section");
  if (task === null || task.matches("[tabindex],[data-composer]")) return undefined;
  const found = [...task.querySelectorAll<HTMLElement>(focusable)];
  const next = found.findLast((each) => before !== null && isUpTo(before, each)) ?? found[0];
  if (next !== undefined || task.parentElement === null) return next;
  return nearestInTask(task.parentElement, task);
}

function isUpTo(place: Node, element: Element): boolean {
  const position = place.compareDocumentPosition(element);
  return place.contains(element) || (position & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}
