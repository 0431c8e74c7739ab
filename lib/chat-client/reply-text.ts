/**
 * Tracks the text that the reader of a turn stream has been shown. A repeated attempt streams the reply from
 * its beginning, and only its new text is shown.
 */
import type { StreamedEvent } from "./parser.ts";

type Start = Extract<StreamedEvent, { type: "start" }>;

/** Arguments of one `String.fromCharCode` call, far below the engines' limits. */
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

export class ReplyText {
  readonly #show: (event: StreamedEvent) => void;
  /** All text shown since the last `start` event. Replaced when the agent answers again with another text. */
  readonly #shown = new ShownText();
  /** The last `start` event that was shown. */
  #shownStart: Start | undefined;
  /** The attempt's own `start`. */
  #start: Start | undefined;
  /** How much of the shown text the attempt has repeated: all of it once it has sent new text. */
  #repeatedLength = 0;

  /** @param show Called with each event for the reader. */
  constructor(show: (event: StreamedEvent) => void) {
    this.#show = show;
  }

  /** UTF-16 code units shown since the last `start`. */
  get length(): number {
    return this.#shown.length;
  }

  /**
   * Shows what is new in this event of the attempt: all, part or none of it, or a new `start` before it.
   */
  next(event: StreamedEvent): void {
    switch (event.type) {
      case "start":
        this.#nextStart(event);
        break;
      case "delta":
        this.#nextText(event.text);
        break;
      case "done":
        // A final text shorter than the earlier one is a different answer.
        if (this.#start !== undefined && this.#repeatedLength < this.#shown.length)
          this.#showAnew(this.#start, this.#shown.beginning(this.#repeatedLength));
        this.#show(event);
    }
  }

  #nextStart(event: Start): void {
    this.#start = event;
    this.#repeatedLength = 0;
    const earlier = this.#shownStart;
    const sameReply = earlier?.messageId === event.messageId && earlier.replyId === event.replyId;
    if (!sameReply) this.#showAnew(event, "");
  }

  #nextText(text: string): void {
    const overlap = Math.min(text.length, this.#shown.length - this.#repeatedLength);
    // The attempt repeats none of the shown text. Without a retry, this is always so.
    if (overlap === 0) this.#showMore(text);
    else if (this.#start === undefined || this.#shown.has(text, overlap, this.#repeatedLength)) {
      this.#repeatedLength += overlap;
      this.#showMore(text.slice(overlap));
    } else this.#showAnew(this.#start, this.#shown.beginning(this.#repeatedLength) + text);
  }

  #showMore(text: string): void {
    if (text === "") return;
    this.#shown.append(text);
    this.#repeatedLength = this.#shown.length;
    this.#show({ type: "delta", text });
  }

  /** Shows `text` in place of the earlier text. */
  #showAnew(start: Start, text: string): void {
    this.#shownStart = start;
    this.#shown.length = 0;
    this.#shown.append(text);
    this.#repeatedLength = text.length;
    this.#show(start);
    if (text !== "") this.#show({ type: "delta", text });
  }
}
