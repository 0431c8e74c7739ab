import { type RefObject, useEffect, useRef } from "react";
import { hasOnScreenKeyboard } from "../composer/on-screen-keyboard.ts";
import type { PanelView } from "./panel-header.tsx";

/**
 * After a change of view or chat, moves the focus to the composer once that is on screen. Where this would
 * raise a keyboard over the conversation, the panel's title gets the focus.
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
    // Another tab may have opened the chat, too; a customer who works elsewhere on the page keeps the focus.
    const isHere = document.activeElement === document.body || panel.current?.matches(":focus-within");
    if (!hasCome || !isHere || panel.current?.matches("[open]") !== true) return;
    if (hasOnScreenKeyboard()) panel.current.querySelector<HTMLElement>("[data-panel-title]")?.focus();
    else composer.current?.focus();
  }, [panel, composer, view, createKey]);
}
