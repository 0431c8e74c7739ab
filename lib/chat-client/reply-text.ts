/**
 * Tracks the text that the reader of a turn stream has been shown. A repeated attempt streams the reply from
 * its beginning, and only its new text is shown.
 */
import type { StreamedEvent } from "./parser.ts";

type Start = Extract<StreamedEvent, { type: "start" }>;

export interface ReplyText {
  /** Starts a new attempt, whose text counts from 0. */
  begin(): void;
  /** Shows what is new in this event of the attempt: all, part or none of it, or a new `start` before it. */
  next(event: StreamedEvent): void;
  /** UTF-16 code units shown since the last `start`. */
  readonly length: number;
}

/** @param show Called with each event for the reader. */
export function createReplyText(show: (event: StreamedEvent) => void): ReplyText {
  /** All text shown since the last `start` event. Replaced when the agent answers again with another text. */
  let shown = "";
  /** The last `start` event that was shown. */
  let shownStart: Start | undefined;
  /** The attempt's own `start`. */
  let start: Start | undefined;
  /** How much of `shown` the attempt has repeated; all of it once the attempt is ahead. */
  let repeatedLength = 0;

  /** Shows `text` in place of the earlier text. */
  function showAnew(next: Start, text: string) {
    shownStart = next;
    shown = text;
    repeatedLength = text.length;
    show(next);
    if (text !== "") show({ type: "delta", text });
  }

  function nextStart(event: Start) {
    start = event;
    const sameReply = shownStart?.messageId === event.messageId && shownStart.replyId === event.replyId;
    if (!sameReply) showAnew(event, "");
  }

  function showMore(text: string) {
    if (text === "") return;
    shown += text;
    repeatedLength = shown.length;
    show({ type: "delta", text });
  }

  function nextText(text: string) {
    const overlap = Math.min(text.length, shown.length - repeatedLength);
    // Nothing is being repeated, as always without a retry. Comparing would join `shown` again for each
    // delta.
    if (overlap === 0) return showMore(text);
    if (start !== undefined && !shown.startsWith(text.slice(0, overlap), repeatedLength)) {
      return showAnew(start, shown.slice(0, repeatedLength) + text);
    }
    repeatedLength += overlap;
    showMore(text.slice(overlap));
  }

  return {
    begin() {
      repeatedLength = 0;
    },
    next(event) {
      switch (event.type) {
        case "start":
          return nextStart(event);
        case "delta":
          return nextText(event.text);
        case "done":
          // A final text shorter than the earlier one is a different answer.
          if (start !== undefined && repeatedLength < shown.length)
            showAnew(start, shown.slice(0, repeatedLength));
          return show(event);
      }
    },
    get length() {
      return shown.length;
    },
  };
}
