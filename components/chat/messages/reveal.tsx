import { type RefObject, useEffect } from "react";

export interface RevealProps {
  scroller: RefObject<HTMLElement | null>;
  messageId: string;
  holdPosition(): void;
}

/**
 * Scrolls again for at most this many frames, until the position is stable: pages of a long chat that were
 * never on screen have an estimated height until then.
 */
const revealFrames = 120;

/** Scrolls to a message. Loaded with the first search. */
export default function Reveal({ scroller, messageId, holdPosition }: RevealProps) {
  useEffect(() => {
    const find = () => scroller.current?.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
    let frame = 0;
    let top: number | undefined;
    const bring = (framesLeft: number) => {
      const row = find();
      row?.scrollIntoView({ block: "center" });
      holdPosition();
      const before = top;
      top = row?.getBoundingClientRect().top;
      const isSettled = top !== undefined && top === before;
      if (!isSettled && framesLeft > 0) frame = requestAnimationFrame(() => bring(framesLeft - 1));
    };
    frame = requestAnimationFrame(() => bring(revealFrames));
    return () => cancelAnimationFrame(frame);
  }, [messageId, scroller, holdPosition]);
  return null;
}
