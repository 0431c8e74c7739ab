const focusable = "a[href],button:enabled,input,textarea,select,summary";

/** A customer who has scrolled further than this from the list's end, in pixels, is reading it. */
const readingFrom = 40;

/**
 * Moves the focus when its element is removed: to the entry that takes its place in a list, to the element
 * before it in the same task, else to the message list while the customer reads it, else to the message
 * field.
 */
export function focusNext({ target, previousSibling }: MutationRecord, focusComposer: () => void): void {
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
