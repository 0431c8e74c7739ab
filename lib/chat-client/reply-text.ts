/**
 * Tracks the text that the reader of a turn stream has been shown. A repeated attempt streams the reply from
 * its beginning, and only its new text is shown.
 */
import type { StreamedEvent } from "./parser.ts";

type Start = Extract<StreamedEvent, { type: "start" }>;

export class ReplyText {
  readonly #show: (event: StreamedEvent) => void;
  /** All text shown since the last `start` event. Replaced when the agent answers again with another text. */
  #shown = "";
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
          this.#showAnew(this.#start, this.#shown.slice(0, this.#repeatedLength));
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
    else if (
      this.#start === undefined ||
      this.#shown.startsWith(text.slice(0, overlap), this.#repeatedLength)
    ) {
      this.#repeatedLength += overlap;
      this.#showMore(text.slice(overlap));
    } else this.#showAnew(this.#start, this.#shown.slice(0, this.#repeatedLength) + text);
  }

  #showMore(text: string): void {
    if (text === "") return;
    this.#shown += text;
    this.#repeatedLength = this.#shown.length;
    this.#show({ type: "delta", text });
  }

  /** Shows `text` in place of the earlier text. */
  #showAnew(start: Start, text: string): void {
    this.#shownStart = start;
    this.#shown = text;
    this.#repeatedLength = text.length;
    this.#show(start);
    if (text !== "") this.#show({ type: "delta", text });
  }
}
