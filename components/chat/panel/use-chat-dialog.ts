import { type RefObject, useEffect, useState } from "react";

/** Phones, and high zoom: the panel covers the screen. panel.module.css has the same query. */
const phone = "(max-width: 39.99rem) or (max-height: 31.99rem)";

/**
 * Opens and closes the panel's dialog, if the panel is one. On phones it is modal and covers the page; on
 * larger screens it is non-modal beside the page. Returns whether it is modal.
 *
 * Opening focuses the composer on larger screens. On phones it focuses the panel's title, because focus in a
 * text field would raise the keyboard over the conversation.
 */
export function useChatDialog(
  panel: RefObject<HTMLElement | null>,
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
    const element = panel.current;
    if (!(element instanceof HTMLDialogElement) || !isOpen) return;
    const page = document.documentElement.style;
    const { overflowY } = page;
    if (isModal) {
      element.showModal();
      // A swipe over the panel's title would scroll the page that the panel covers.
      page.overflowY = "hidden";
      element.querySelector<HTMLElement>("[data-panel-title]")?.focus();
    } else {
      element.show();
      composer.current?.focus();
    }
    return () => {
      // The page itself may have changed it meanwhile.
      if (page.overflowY === "hidden") page.overflowY = overflowY;
      element.close();
    };
  }, [panel, composer, isOpen, isModal]);

  return isModal;
}
