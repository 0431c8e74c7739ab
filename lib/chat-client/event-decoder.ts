/** Decodes server-sent events from bytes in chunks of any size. */
import { createParser, type EventSourceMessage, type EventSourceParser } from "eventsource-parser";

/** Room for the field's name in the parser's buffer, so that only the value counts towards the limit. */
const fieldNameLength = 16;

/**
 * One stateless decoder for all streams, because in Node each stateful one is a native object. The parser
 * removes the one byte order mark that may precede a stream; a second one is content.
 */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The number of bytes at the end that begin an incomplete UTF-8 character. */
function begunBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.byteLength); count += 1) {
    const byte = bytes[bytes.byteLength - count] ?? 0;
    const continues = (byte & 0xc0) === 0x80;
    if (!continues) return count < lengthFrom(byte) ? count : 0;
  }
  return 0;
}

/** The number of bytes of the UTF-8 character that begins with this one. */
function lengthFrom(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.byteLength + second.byteLength);
  joined.set(first);
  joined.set(second, first.byteLength);
  return joined;
}

/** A chunk that is one delta, as `encodeDelta` writes it. */
const deltaPattern = /^event: delta\ndata: (.*)\n\n$/;

/** Passes the events of one stream to `onEvent`. */
export class EventDecoder {
  readonly #maxLength: number;
  readonly #onEvent: (event: EventSourceMessage) => void;
  readonly #parser: EventSourceParser;
  /** True after a blank line: the parser holds no part of an event, nor of a byte order mark. */
  #isBetweenEvents = false;
  /** The first bytes of a character that has not arrived completely. */
  #begun: Uint8Array | undefined;
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
    const joined = this.#begun === undefined ? bytes : join(this.#begun, bytes);
    const end = joined.byteLength - begunBytes(joined);
    const isWhole = end === joined.byteLength;
    this.#begun = isWhole ? undefined : joined.slice(end);
    const text = decoder.decode(isWhole ? joined : joined.subarray(0, end));
    // Nearly every chunk is one delta; the parser's state would cost cache misses for each of them
    // (docs/decisions/033-a-stream-is-few-objects.md).
    const data = this.#isBetweenEvents ? deltaPattern.exec(text)?.[1] : undefined;
    if (data !== undefined) this.#pass({ id: undefined, event: "delta", data });
    else {
      this.#parser.feed(text);
      this.#isBetweenEvents = text.endsWith("\n\n");
    }
  }

  #pass(event: EventSourceMessage): void {
    // An event that arrives in one chunk never enters the parser's buffer, whose size is all that the parser
    // limits.
    this.#hasOverflowed ||= event.data.length > this.#maxLength;
    if (!this.#hasOverflowed) this.#onEvent(event);
  }
}
