import { type RefObject, useEffect, useRef } from "react";
import { hasOnScreenKeyboard } from "../composer/on-screen-keyboard.ts";

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
    if (hasOnScreenKeyboard()) panel.current?.querySelector<HTMLElement>("[data-panel-title]")?.focus();
    else composer.current?.focus();
  }, [panel, composer, isListShown, createKey]);
}
