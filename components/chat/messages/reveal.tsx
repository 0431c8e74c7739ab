import { type RefObject, useEffect, useRef } from "react";

export interface RevealProps {
  scroller: RefObject<HTMLElement | null>;
  messageId: string;
  /** Renders the message's chunk if it is not on the page. */
  showMessage(id: string): void;
  holdPosition(): void;
}

/**
 * Scrolls again for at most this many frames, until the position is stable: in a long chat the row renders
 * some frames later.
 */
const revealFrames = 120;

/** Scrolls to a message. Loaded with the first search. */
export default function Reveal({ scroller, messageId, showMessage, holdPosition }: RevealProps) {
  // A ref, so that a message that arrives later does not run the effect below again.
  const list = useRef({ showMessage, holdPosition });
  useEffect(() => {
    list.current = { showMessage, holdPosition };
  }, [showMessage, holdPosition]);

  useEffect(() => {
    const find = () => scroller.current?.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
    if (!find()) list.current.showMessage(messageId);
    let frame = 0;
    let top: number | undefined;
    const bring = (framesLeft: number) => {
      const row = find();
      row?.scrollIntoView({ block: "center" });
      list.current.holdPosition();
      const before = top;
      top = row?.getBoundingClientRect().top;
      const isSettled = top !== undefined && top === before;
      if (!isSettled && framesLeft > 0) frame = requestAnimationFrame(() => bring(framesLeft - 1));
    };
    frame = requestAnimationFrame(() => bring(revealFrames));
    return () => cancelAnimationFrame(frame);
  }, [messageId, scroller]);
  return null;
}
