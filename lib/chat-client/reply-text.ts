/**
 * Tracks the text that the reader of a turn stream has been shown. A repeated attempt streams the reply from
 * its beginning, and only its new text is shown.
 */
import type { StreamedEvent } from "./parser.ts";

type Start = Extract<StreamedEvent, { type: "start" }>;

export type ReplyText = ReturnType<typeof createReplyText>;

/** Arguments of one call, far below the engines' limits. */
const unitsPerCall = 8_192;

/**
 * The text that the reader has been shown, as UTF-16 code units in one block of memory. A string keeps an
 * object for each delta, which the garbage collector then copies: with a thousand streams that doubles its
 * pauses, and with them the 99th percentile of latency (`npm run bench -- streams`).
 */
class ShownText {
  #units = new Uint16Array(256);
  length = 0;

  append(text: string): void {
    const end = this.length + text.length;
    if (end > this.#units.length) {
      const larger = new Uint16Array(end * 2);
      larger.set(this.#units);
      this.#units = larger;
    }
    for (let at = 0; at < text.length; at += 1) this.#units[this.length + at] = text.charCodeAt(at);
    this.length = end;
  }

  /** Whether the first `count` units of `text` are at `position`. */
  has(text: string, count: number, position: number): boolean {
    for (let at = 0; at < count; at += 1) {
      if (this.#units[position + at] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  beginning(count: number): string {
    let text = "";
    for (let at = 0; at < count; at += unitsPerCall)
      text += String.fromCharCode(...this.#units.subarray(at, Math.min(at + unitsPerCall, count)));
    return text;
  }
}

/** @param show Called with each event for the reader. */
export function createReplyText(show: (event: StreamedEvent) => void) {
  /** All text shown since the last `start` event. Replaced when the agent answers again with another text. */
  const shown = new ShownText();
  /** The last `start` event that was shown. */
  let shownStart: Start | undefined;
  /** The attempt's own `start`. */
  let start: Start | undefined;
  /** How much of `shown` the attempt has repeated; all of it once the attempt is ahead. */
  let repeatedLength = 0;

  /** Shows `text` in place of the earlier text. */
  function showAnew(next: Start, text: string) {
    shownStart = next;
    shown.length = 0;
    shown.append(text);
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
    shown.append(text);
    repeatedLength = shown.length;
    show({ type: "delta", text });
  }

  function nextText(text: string) {
    const overlap = Math.min(text.length, shown.length - repeatedLength);
    // The attempt repeats none of the shown text. Without a retry, this is always so.
    if (overlap === 0) return showMore(text);
    if (start !== undefined && !shown.has(text, overlap, repeatedLength)) {
      return showAnew(start, shown.beginning(repeatedLength) + text);
    }
    repeatedLength += overlap;
    showMore(text.slice(overlap));
  }

  return {
    /** Starts a new attempt, whose text counts from 0. */
    begin() {
      repeatedLength = 0;
    },
    /**
     * Shows what is new in this event of the attempt: all, part or none of it, or a new `start` before it.
     */
    next(event: StreamedEvent) {
      switch (event.type) {
        case "start":
          return nextStart(event);
        case "delta":
          return nextText(event.text);
        case "done":
          // A final text shorter than the earlier one is a different answer.
          if (start !== undefined && repeatedLength < shown.length)
            showAnew(start, shown.beginning(repeatedLength));
          return show(event);
      }
    },
    /** UTF-16 code units shown since the last `start`. */
    length: () => shown.length,
  };
}
