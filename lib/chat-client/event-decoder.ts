/** Decodes server-sent events from bytes in chunks of any size. */
import { createParser, type EventSourceMessage, type EventSourceParser } from "eventsource-parser";

/** Room for the field's name in the parser's buffer, so that only the value counts towards the limit. */
const fieldNameLength = 16;

/** Passes the events of one stream to `onEvent`. */
export class EventDecoder {
  /** The parser removes the one byte order mark that may precede a stream; a second one is content. */
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #maxLength: number;
  readonly #onEvent: (event: EventSourceMessage) => void;
  readonly #parser: EventSourceParser;
  #hasOverflowed = false;

  /**
   * @param maxLength of one event's data, in UTF-16 code units.
   * @param onEvent Called with each event at once. When a list held them between two chunks, V8 kept each
   *   delta until a full collection, and its short pauses were twice as long (`npm run bench -- streams`).
   */
  constructor(maxLength: number, onEvent: (event: EventSourceMessage) => void) {
    this.#maxLength = maxLength;
    this.#onEvent = onEvent;
    this.#parser = createParser({
      maxBufferSize: maxLength + fieldNameLength,
      onEvent: (event) => this.#pass(event),
      onError: (error) => {
        this.#hasOverflowed ||= error.type === "max-buffer-size-exceeded";
      },
    });
  }

  /** True once a line or an event has exceeded the limit; the events before it have been passed on. */
  get hasOverflowed(): boolean {
    return this.#hasOverflowed;
  }

  /**
   * Passes on the events that these bytes complete. Bytes after the last blank line wait for the next chunk;
   * at the end they are dropped, because an event without its blank line was truncated. Do not call after an
   * overflow.
   */
  push(bytes: Uint8Array): void {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
  }

  #pass(event: EventSourceMessage): void {
    // An event that arrives in one chunk never enters the parser's buffer, whose size is all that the parser
    // limits.
    this.#hasOverflowed ||= event.data.length > this.#maxLength;
    if (!this.#hasOverflowed) this.#onEvent(event);
  }
}
