/**
 * What the reader of a turn stream has been shown, so that a repeated attempt, which tells the reply from its
 * beginning, shows only what is new.
 */
import type { StreamedEvent } from "./parser.ts";

type Start = Extract<StreamedEvent, { type: "start" }>;

export interface ReplyText {
  /** A new attempt begins: its text counts from 0. */
  begin(): void;
  /** The events to show for this event of the attempt: it, a part of it, none, or a new `start` before it. */
  next(event: StreamedEvent): StreamedEvent[];
  /** UTF-16 code units shown since the last `start`. */
  readonly length: number;
}

export function createReplyText(): ReplyText {
  /** Everything shown since the last `start` that was shown. Replaced when the agent answers anew. */
  let shown = "";
  /** The `start` that was shown last. */
  let shownStart: Start | undefined;
  /** The attempt's own `start`. */
  let start: Start | undefined;
  /** How much of `shown` the attempt has told again; all of it once the attempt is ahead. */
  let told = 0;

  /** Shows `text` in place of what was shown. */
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

  function nextText(text: string): StreamedEvent[] {
    const overlap = Math.min(text.length, shown.length - told);
    if (start !== undefined && !shown.startsWith(text.slice(0, overlap), told)) {
      return showAnew(start, shown.slice(0, told) + text);
    }
    told += overlap;
    if (text.length === overlap) return [];
    const fresh = text.slice(overlap);
    shown += fresh;
    told = shown.length;
    return [{ type: "delta", text: fresh }];
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
          // An answer that ends earlier than the one before is another answer.
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
