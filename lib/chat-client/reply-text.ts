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

  function restart(next: Start): Start {
    shown = "";
    told = 0;
    shownStart = next;
    return next;
  }

  function nextStart(event: Start): StreamedEvent[] {
    start = event;
    const sameReply = shownStart?.messageId === event.messageId && shownStart.replyId === event.replyId;
    return sameReply ? [] : [restart(event)];
  }

  function nextText(text: string): StreamedEvent[] {
    // Every attempt begins with its start.
    if (start === undefined) return [];
    const overlap = Math.min(text.length, shown.length - told);
    const events: StreamedEvent[] = [];
    let fresh = text.slice(overlap);
    if (!shown.startsWith(text.slice(0, overlap), told)) {
      fresh = shown.slice(0, told) + text;
      events.push(restart(start));
    } else {
      told += overlap;
    }
    if (fresh === "") return events;
    shown += fresh;
    told = shown.length;
    return [...events, { type: "delta", text: fresh }];
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
          return [event];
      }
    },
    get length() {
      return shown.length;
    },
  };
}
