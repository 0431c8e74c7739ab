import { type RefObject, useEffect, useState } from "react";

/** Where the panel covers the whole screen. The same width stands in panel.module.css. */
const phone = "(max-width: 39.99rem)";

/**
 * Opens and closes the panel's dialog. On phones it covers the page and is modal; on larger screens it stands beside
 * the page, which stays usable. Returns whether it is modal.
 *
 * Focus: on larger screens into the composer. On phones onto the panel itself, since focus in a text field would
 * raise the keyboard over the conversation.
 */
export function useChatDialog(
  dialog: RefObject<HTMLDialogElement | null>,
  composer: RefObject<HTMLTextAreaElement | null>,
  isOpen: boolean,
): boolean {
  const [isModal, setModal] = useState(() => window.matchMedia(phone).matches);

  useEffect(() => {
    const query = window.matchMedia(phone);
    const onChange = () => setModal(query.matches);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, []);

  useEffect(() => {
    const element = dialog.current;
    if (element === null || !isOpen) return;
    if (isModal) element.showModal();
    else element.show();
    if (isModal) element.querySelector<HTMLElement>("[data-panel-title]")?.focus();
    else composer.current?.focus();
    return () => element.close();
  }, [dialog, composer, isOpen, isModal]);

  return isModal;
}
