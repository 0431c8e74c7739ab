import { type RefObject, useEffect, useState } from "react";
import { listen } from "../../../lib/engine/listen.ts";
import { mediaQuery } from "../appearance/media-query.ts";
import { isOver } from "../greeting/use-is-in-the-way.ts";
import { showOnTop } from "../launcher/place.ts";

/** Phones, and high zoom: the panel covers the screen. panel.module.css has the same query. */
const phone = "(max-width: 39.99rem) or (max-height: 31.99rem)";

/**
 * Opens and closes the panel's dialog, if the panel is one. On phones it is modal and covers the page; on
 * larger screens it is non-modal beside the page, unless the page has a modal dialog or a focus trap, below
 * which it could not be used.
 *
 * Opening, and each further request of the page, focuses the composer on larger screens. On phones it focuses
 * the panel's title, because focus in a text field would raise the keyboard over the conversation.
 * @returns whether the screen is a phone's
 */
export function useChatDialog(
  panel: RefObject<HTMLElement | null>,
  composer: RefObject<HTMLTextAreaElement | null>,
  isOpen: boolean,
  asked: number,
  onClose: () => void,
): boolean {
  const [isPhone, setPhone] = useState(() => mediaQuery(phone)?.matches === true);
  const [isPageModal, setPageModal] = useState(false);
  const isModal = isPhone || isPageModal;

  useEffect(() => {
    const query = mediaQuery(phone);
    return listen(query, "change", () => setPhone(query?.matches === true));
  }, []);

  useEffect(() => {
    const element = panel.current;
    if (!(element instanceof HTMLDialogElement) || !isOpen) return;
    const page = document.documentElement.style;
    const { overflowY } = page;
    if (isModal) element.showModal();
    else {
      element.show();
      showOnTop(element);
    }
    // A swipe over the panel's title would scroll the page that the panel covers.
    if (isPhone) page.overflowY = "hidden";
    return () => {
      // The page itself may have changed it meanwhile.
      if (page.overflowY === "hidden") page.overflowY = overflowY;
      if (element.popover === "manual") element.hidePopover();
      element.close();
    };
  }, [panel, isOpen, isModal, isPhone]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each request of the page asks for the focus
  useEffect(() => {
    const element = panel.current;
    if (!(element instanceof HTMLDialogElement)) return;
    if (!isOpen) return setPageModal(false);
    const field = isPhone ? null : composer.current;
    (field ?? element.querySelector<HTMLElement>("[data-panel-title]"))?.focus();
    // Below a modal dialog, or beside what a focus trap guards, nothing takes the focus.
    if (!isModal && document.hasFocus() && !element.matches(":focus-within")) setPageModal(true);
  }, [panel, composer, isOpen, isModal, isPhone, asked]);

  // What the panel covers of the page stays usable: Escape uncovers what has the focus (WCAG 2.4.11).
  useEffect(() => {
    const onKeyDown = (event: Event) => {
      const own = panel.current;
      if (event.defaultPrevented || !own?.matches(":popover-open")) return;
      if (!(event instanceof KeyboardEvent) || event.key !== "Escape" || event.isComposing) return;
      // The body is the target while nothing has the focus.
      const { target } = event;
      if (target instanceof Element && target !== document.body && isOver(own, target)) onClose();
    };
    return listen(window, "keydown", onKeyDown);
  });

  useVisibleHeight(panel, isPhone);
  return isPhone;
}

/**
 * Gives the panel the visible height: on phones the on-screen keyboard covers the lower part of the page.
 * Pinch zoom reduces that height, too; then the panel keeps its size and the customer pans.
 */
function useVisibleHeight(element: RefObject<HTMLElement | null>, isFullScreen: boolean): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    const panel = element.current;
    if (viewport === null || panel === null || !isFullScreen) return;
    const fit = () => {
      const { height, offsetTop, scale } = viewport;
      panel.style.setProperty("--_visible-height", `${height * scale}px`);
      panel.style.setProperty("--_visible-top", scale > 1 ? "0" : `${offsetTop}px`);
    };
    fit();
    return listen(viewport, "resize scroll", fit);
  }, [element, isFullScreen]);
}
