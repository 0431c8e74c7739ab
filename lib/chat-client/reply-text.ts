/**
 * Tracks the text that the reader of a turn stream has been shown. A repeated attempt streams the reply from
 * its beginning, and only its new text is shown.
 */
import type { StreamedEvent } from "./parser.ts";

type Start = Extract<StreamedEvent, { type: "start" }>;

export interface ReplyText {
  /** Starts a new attempt, whose text counts from 0. */
  begin(): void;
  /**
   * The events to show for this event of the attempt: all of it, a part, none, or a new `start` before it.
   */
  next(event: StreamedEvent): StreamedEvent[];
  /** UTF-16 code units shown since the last `start`. */
  readonly length: number;
}

export function createReplyText(): ReplyText {
  /** All text shown since the last `start` event. Replaced when the agent answers anew. */
  let shown = "";
  /** The last `start` event that was shown. */
  let shownStart: Start | undefined;
  /** The attempt's own `start`. */
  let start: Start | undefined;
  /** How much of `shown` the attempt has repeated; all of it once the attempt is ahead. */
  let told = 0;

  /** Shows `text` in place of the earlier text. */
  function showAnew(next: Start, text: string): StreamedEvent[] {
    shownStart = next;
    shown = text;
    told = text.length;
    return text === "" ? [next] : [next, { type: "delta", text }];
  }

  function nextStart(event: Start): StreamedEvent[] {
    start = event;
    const sameReply = shownStart?.messageId === event.messageId && shownStart.replyId === event.replyId;
    return sameReply ? [] : showAnew(event, "");
  }

  function showMore(text: string): StreamedEvent[] {
    if (text === "") return [];
    shown += text;
    told = shown.length;
    return [{ type: "delta", text }];
  }

  function nextText(text: string): StreamedEvent[] {
    const overlap = Math.min(text.length, shown.length - told);
    // Nothing is being repeated, as always without a retry. Comparing would join `shown` again for each
    // delta.
    if (overlap === 0) return showMore(text);
    if (start !== undefined && !shown.startsWith(text.slice(0, overlap), told)) {
      return showAnew(start, shown.slice(0, told) + text);
    }
    told += overlap;
    if (text.length === overlap) return [];
    return showMore(text.slice(overlap));
  }

  return {
    begin() {
      told = 0;
    },
    next(event) {
      switch (event.type) {
        case "start":
          return nextStart(event);
        case "delta":
          return nextText(event.text);
        case "done":
          // A final text shorter than the earlier one is a different answer.
          return start !== undefined && told < shown.length
            ? [...showAnew(start, shown.slice(0, told)), event]
            : [event];
      }
    },
    get length() {
      return shown.length;
    },
  };
}
