import { type RefObject, useLayoutEffect, useState } from "react";

/** While the list follows its end, its last row may reach this far below the view, in pixels. */
const tolerance = 40;

/**
 * Scrolls to the beginning of a form's message when the form is taller than the view: a list that follows its
 * end would hide that beginning. Does nothing for a customer who reads further up.
 */
export function useBeginningInView(form: RefObject<HTMLElement | null>, isCurrent: boolean): void {
  const [wasCurrent] = useState(isCurrent);
  useLayoutEffect(() => {
    if (!wasCurrent) return;
    const row = form.current?.closest("[data-row]");
    const list = row?.closest("[data-message-list]");
    if (!row || !list) return;
    const [{ top, bottom }, view] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    if (top < view.top && bottom <= view.bottom + tolerance) row.scrollIntoView({ block: "start" });
  }, [form, wasCurrent]);
}
