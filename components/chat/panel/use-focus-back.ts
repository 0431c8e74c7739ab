import { type RefObject, useEffect, useRef } from "react";
import { hasOnScreenKeyboard } from "../composer/on-screen-keyboard.ts";
import type { PanelView } from "./panel-header.tsx";

/**
 * From another view, and from one chat to the next: into the composer, once it is on screen again. Where that would raise
 * a keyboard over the conversation, onto the panel's title.
 */
export function useFocusBack(
  panel: RefObject<HTMLElement | null>,
  composer: RefObject<HTMLElement | null>,
  view: PanelView,
  createKey: string,
): void {
  const before = useRef({ view, createKey });
  useEffect(() => {
    const { current } = before;
    before.current = { view, createKey };
    const hasCome = view === "chat" && (current.view !== "chat" || current.createKey !== createKey);
    // Another tab, too, may have opened a chat: the focus of one who is elsewhere on the page stays there.
    const isHere =
      document.activeElement === document.body || panel.current?.contains(document.activeElement);
    if (!hasCome || !isHere || panel.current?.matches("[open]") !== true) return;
    if (hasOnScreenKeyboard()) panel.current.querySelector<HTMLElement>("[data-panel-title]")?.focus();
    else composer.current?.focus();
  }, [panel, composer, view, createKey]);
}
