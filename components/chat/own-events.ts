/**
 * Events that a page's scripts expect from the page's own fields: typing, the clipboard, dragging, the focus
 * and forms; and scrolling, which a page below a modal dialog prevents. None of it leaves the chat, or it
 * would set off the page's keyboard shortcuts, focus traps and scroll locks: outside a shadow tree the target
 * is the tree's host, in which a script sees no field.
 */
const ownEvents =
  "keydown keypress keyup beforeinput input change compositionstart compositionupdate compositionend copy cut " +
  "paste drag dragend dragenter dragleave dragover dragstart drop focusin focusout reset submit wheel touchmove";

/** `place` is what React has its listeners on: the chat handles the events before they stop. */
export function keepOwnEvents(place: Element | null | undefined): void {
  for (const name of ownEvents.split(" ")) place?.addEventListener(name, stop, { passive: true });
}

const stop = (event: Event) => event.stopPropagation();
