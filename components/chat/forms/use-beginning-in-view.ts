import { type RefObject, useLayoutEffect, useState } from "react";

/** So far below the view, in pixels, the row of a list that follows its end may still reach. */
const slack = 40;

/**
 * The list of messages follows its end. A form that comes in taller than the view would have its beginning out of sight;
 * it is shown from its message's beginning. Who reads further up is left where they are.
 */
export function useBeginningInView(form: RefObject<HTMLElement | null>, comesIn: boolean): void {
  const [cameIn] = useState(comesIn);
  useLayoutEffect(() => {
    if (!cameIn) return;
    const row = form.current?.closest("[data-row]");
    const list = row?.closest("[data-message-list]");
    if (!row || !list) return;
    const [{ top, bottom }, view] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    if (top < view.top && bottom <= view.bottom + slack) row.scrollIntoView({ block: "start" });
  }, [form, cameIn]);
}
