import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Failure } from "../../../lib/engine/failure.ts";

/** Height of the bars that may cover the list's edges, in pixels. */
const margins = 80;

/**
 * Keeps the focused control of a form in view while the form or the list changes its height. The list holds
 * the position of the content at the top of its view (`use-scroll-position.ts`), so an error note would push
 * the button below it out of sight. `end` contains the form's buttons and their notes. After a failure `end`
 * comes into view, too; if it does not fit beside the focused control, the focus moves to the submit button.
 */
export function useFocusInView(
  form: RefObject<HTMLElement | null>,
  end: RefObject<HTMLElement | null>,
  failed: Failure | null,
): void {
  const hasFailed = useRef(false);
  useLayoutEffect(() => {
    hasFailed.current = failed !== null;
    const focused = focusedIn(form.current);
    if (failed === null || focused === null || end.current === null) return;
    if (!fitsWith(end.current, focused))
      end.current.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
    end.current.scrollIntoView({ block: "nearest" });
  }, [form, end, failed]);

  useEffect(() => {
    const list = listOf(form.current);
    if (form.current === null || list === null) return;
    // Created after the list's own observer, so it runs after that one has restored the scroll position.
    const observer = new ResizeObserver(() => {
      const focused = focusedIn(form.current);
      if (focused === null) return;
      if (end.current !== null && (hasFailed.current || end.current.contains(focused)))
        end.current.scrollIntoView({ block: "nearest" });
      focused.scrollIntoView({ block: "nearest" });
    });
    observer.observe(form.current);
    observer.observe(list);
    return () => observer.disconnect();
  }, [form, end]);
}

const listOf = (element: Element | null) => element?.closest("[data-message-list]") ?? null;

function focusedIn(form: Element | null): Element | null {
  return form?.querySelector(":focus") ?? null;
}

function fitsWith(end: Element, focused: Element): boolean {
  const room = (listOf(end)?.clientHeight ?? 0) - margins;
  return end.getBoundingClientRect().bottom - focused.getBoundingClientRect().top <= room;
}

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
