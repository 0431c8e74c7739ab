import { type RefObject, useEffect } from "react";

export interface RevealProps {
  scroller: RefObject<HTMLElement | null>;
  messageId: string;
  /** Brings the message to the page if it is not there. */
  showMessage(id: string): void;
  holdPlace(): void;
}

/**
 * A message is brought into view anew, for so many frames at most, until it stays where it is: in a long chat its row is drawn
 * some frames later.
 */
const revealFrames = 120;

/** Brings a message into view. Loaded with the first search. */
export default function Reveal({ scroller, messageId, showMessage, holdPlace }: RevealProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that arrives later does not reveal again
  useEffect(() => {
    const find = () => scroller.current?.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
    if (!find()) showMessage(messageId);
    let frame = 0;
    let top: number | undefined;
    const bring = (framesLeft: number) => {
      const row = find();
      row?.scrollIntoView({ block: "center" });
      holdPlace();
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
