/** Server-sent events from bytes that come in any pieces. */
import { createParser, type EventSourceMessage } from "eventsource-parser";

export interface EventDecoder {
  /**
   * The events that these bytes complete. What follows the last blank line waits for the next bytes, and is dropped
   * when there are none: an event without its blank line was cut. Not to be called again once `overflowed`.
   */
  push(bytes: Uint8Array): EventSourceMessage[];
  /** True once a line or an event was longer than allowed; the events before it have been returned. */
  readonly overflowed: boolean;
}

/** Room in the parser's buffer for the field's name, so that the length of the value decides. */
const fieldNameLength = 16;

/** @param maxLength of one event's data, in UTF-16 code units. */
export function createEventDecoder(maxLength: number): EventDecoder {
  // The parser removes the one byte order mark that may stand before a stream; a second one is content.
  const text = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Filled by the parser while it is fed, emptied by each `push`. */
  let events: EventSourceMessage[] = [];
  let overflowed = false;
  const parser = createParser({
    maxBufferSize: maxLength + fieldNameLength,
    onEvent(event) {
      // An event that arrives in one piece never enters the parser's buffer, which is all that the parser measures.
      overflowed ||= event.data.length > maxLength;
      if (!overflowed) events.push(event);
    },
    onError(error) {
      overflowed ||= error.type === "max-buffer-size-exceeded";
    },
  });
  return {
    push(bytes) {
      parser.feed(text.decode(bytes, { stream: true }));
      const complete = events;
      events = [];
      return complete;
    },
    get overflowed() {
      return overflowed;
    },
  };
}
