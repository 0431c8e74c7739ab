/** Decodes server-sent events (HTML, "Interpreting an event stream") from bytes in chunks of any size. */

export interface StreamEvent {
  event: string | undefined;
  data: string;
}

/** Room for a field's name in a line, so that only the value counts towards the limit. */
const fieldNameLength = 16;

/** Passes the events of one stream to `onEvent`. */
export class EventDecoder {
  /** Removes the one byte order mark that may precede a stream; a second one is content. */
  readonly #decoder = new TextDecoder();
  readonly #maxLength: number;
  readonly #onEvent: (event: StreamEvent) => void;
  #hasOverflowed = false;
  /** The beginning of a line whose end has not arrived. */
  #line = "";
  /** True if the last chunk ended with CR: an LF at the beginning of the next one belongs to it. */
  #endsWithReturn = false;
  #event: string | undefined;
  /** Null until the event has a line of data. */
  #data: string | null = null;

  /**
   * @param maxLength of one event's data, in UTF-16 code units.
   * @param onEvent Called with each event at once. When a list held them between two chunks, V8 kept each
   *   delta until a full collection, and its short pauses were twice as long (`npm run bench -- streams`).
   */
  constructor(maxLength: number, onEvent: (event: StreamEvent) => void) {
    this.#maxLength = maxLength;
    this.#onEvent = onEvent;
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
    const decoded = this.#decoder.decode(bytes, { stream: true });
    if (decoded === "") return;
    const text = this.#endsWithReturn && decoded.startsWith("\n") ? decoded.slice(1) : decoded;
    this.#endsWithReturn = decoded.endsWith("\r");
    const lines = text.split(/\r\n|\r|\n/);
    lines[0] = this.#line + lines[0];
    const rest = lines.pop() ?? "";
    for (const line of lines) if (!this.#hasOverflowed) this.#read(line);
    // A comment of any length is ignored.
    this.#line = rest.startsWith(":") ? ":" : rest;
    this.#hasOverflowed ||= this.#line.length > this.#maxLength + fieldNameLength;
  }

  #read(line: string): void {
    if (line === "") {
      const [event, data] = [this.#event, this.#data];
      this.#event = undefined;
      this.#data = null;
      if (data !== null) this.#onEvent({ event, data });
    } else if (line.startsWith("data:") || line === "data") {
      const value = valueIn(line);
      this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
      this.#hasOverflowed ||= this.#data.length > this.#maxLength;
    } else if (line.startsWith("event:") || line === "event") this.#event = valueIn(line) || undefined;
  }
}

/** The text after the colon and one space. */
function valueIn(line: string): string {
  const at = line.indexOf(":") + 1;
  return at === 0 ? "" : line.slice(line[at] === " " ? at + 1 : at);
}
