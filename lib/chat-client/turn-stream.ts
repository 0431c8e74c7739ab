/** The turn stream as the caller reads it: one reply, however often the connection was lost. */
import { createParser, type EventSourceMessage, type EventSourceParser } from "eventsource-parser";
import type { ChatApiError } from "../chat-api/errors.ts";
import { eventStreamType } from "../chat-api/turn-events.ts";
import { attempting, type Progress } from "./attempts.ts";
import { type Connection, connect } from "./connection.ts";
import { toChatApiError } from "./error-response.ts";
import { ChatConnectionError, type ContractError, type ContractErrorKind } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import type { StreamedEvent } from "./parser.ts";
import { ReplyText } from "./reply-text.ts";
import { type Call, checkCall } from "./request.ts";
import { contractError, mediaTypeOf, requireSuccess } from "./response.ts";

/**
 * One streamed reply, read with a callback: an iterator creates a promise per event, which costs a server
 * that forwards many events more than the events themselves.
 */
export interface TurnStream {
  /** Whether the first response was a replay (200, not 201). Undefined before the first event. */
  readonly replayed: boolean | undefined;
  /**
   * Sends the message and passes on `start`, deltas, then `done`. A connection lost before `done` is hidden:
   * the request is repeated with the same key, and of the repeated text only the new part is passed on. If
   * the repeated attempt streams a different text (the agent answered anew) or another reply, `start` comes
   * again.
   * Each `start` begins a new text, so a reader discards the earlier one.
   *
   * Resolves at `done`, or without it once the call's signal is aborted. Rejects with an error that `onEvent`
   * throws, or with:
   * - ChatApiError: the Chat API rejected the message, or sent an `error` event;
   * - ChatConnectionError: no response began, or the stream was lost and could not be resumed;
   * - ContractError: the server does not speak the Chat API.
   */
  read(onEvent: (event: StreamedEvent) => void): Promise<void>;
}

export class ClientTurnStream implements TurnStream {
  replayed: boolean | undefined;
  readonly #call: Call;
  readonly #settings: ClientSettings;
  #isTaken = false;

  constructor(call: Call, settings: ClientSettings) {
    this.#call = call;
    this.#settings = settings;
  }

  async read(onEvent: (event: StreamedEvent) => void): Promise<void> {
    if (this.#isTaken) {
      throw new TypeError("A turn stream can be read once. Call streamMessage again, with the same key.");
    }
    this.#isTaken = true;
    const [call, settings] = [this.#call, this.#settings];
    checkCall(call);
    const endsAt = settings.now() + settings.timeouts.stream;
    // One piece of the body may hold events behind the one at which the reader left.
    const reply = new ReplyText((event) => {
      if (!call.signal?.aborted) onEvent(event);
    });
    try {
      await attempting(call, settings, true, (progress) => this.#attempt(progress, endsAt, reply));
    } catch (error) {
      if (!call.signal?.aborted) throw error;
    }
  }

  /**
   * Passes on the events of one attempt.
   * @throws ChatApiError for an `error` event, ContractError for a breach of the specification,
   * ChatConnectionError for a broken or silent connection, and whatever the callback throws.
   */
  async #attempt(progress: Progress, endsAt: number, reply: ReplyText): Promise<void> {
    const settings = this.#settings;
    const connection = await connect(this.#call, settings);
    try {
      await requireSuccess(connection, settings);
      this.replayed ??= connection.response.status === 200;
      progress.succeeded();
      requireEventStream(connection);
      const reader = new EventReader(connection, settings, reply);
      try {
        while (reader.last === undefined) {
          // The server may be silent for a while, within the time of the whole stream.
          const allowance = Math.min(settings.timeouts.idle, endsAt - reader.aliveAt);
          const bytes = await connection.read(allowance);
          if (bytes === undefined) break;
          reader.take(bytes);
        }
      } finally {
        if (reader.hasBytes) progress.alive(reader.aliveAt);
      }
      // The response is about to end by itself: aborting it at `done` would keep the connection from serving
      // another request.
      void connection.drain();
      if (reader.last instanceof Error) throw reader.last;
      if (reader.last === undefined) throw new ChatConnectionError(this.#call.operation, "cut");
      reply.next(reader.last);
    } finally {
      connection.close();
    }
  }
}

function requireEventStream(connection: Connection): void {
  const type = mediaTypeOf(connection);
  if (type === eventStreamType) return;
  // A proxy's page may pass; a server that answers as JSON has probably stored the message, and will again.
  const kind = type === "application/json" ? "shape" : "unreadable";
  throw contractError(connection, kind, "the response is no event stream");
}

/** Bytes of a UTF-16 code unit in UTF-8. */
const maxBytesPerUnit = 3;

/** A terminal event or a kind ends the reading. Undefined for an unknown event. */
type EventRead = StreamedEvent | ChatApiError | ContractError | undefined;

/** The events of one attempt, checked for shape and order. */
class EventReader {
  /** When bytes have last arrived; before the first ones, when the reading began. */
  aliveAt: number;
  /** True once bytes have arrived. */
  hasBytes = false;
  /**
   * The event or kind that ended the reading. Events before a kind are passed on before the error, so that
   * the result does not depend on the chunks.
   */
  last: EventRead;
  readonly #connection: Connection;
  readonly #settings: ClientSettings;
  /** Receives `start` and the deltas. */
  readonly #reply: ReplyText;
  readonly #decoder: EventDecoder;
  /** Set by the `start` of this attempt. */
  #isStarted = false;
  /**
   * Bytes since the last event. The parser drops lines that are not fields of an event, so its own limit does
   * not apply to them.
   */
  #fruitlessBytes = 0;

  constructor(connection: Connection, settings: ClientSettings, reply: ReplyText) {
    this.#connection = connection;
    this.#settings = settings;
    this.#reply = reply;
    this.#decoder = new EventDecoder(this.#settings.limits.eventLength, (message) => this.#pass(message));
    this.aliveAt = this.#settings.now();
  }

  take(bytes: Uint8Array): void {
    this.aliveAt = this.#settings.now();
    this.hasBytes = true;
    this.#fruitlessBytes += bytes.byteLength;
    this.#decoder.push(bytes);
    if (this.last !== undefined) return;
    if (
      this.#decoder.hasOverflowed ||
      this.#fruitlessBytes > this.#settings.limits.eventLength * maxBytesPerUnit
    )
      throw this.#breach("too_large", "an event is larger than the client's limit");
  }

  #pass(message: EventSourceMessage): void {
    this.#fruitlessBytes = 0;
    if (this.last !== undefined) return;
    const event = this.#read(message);
    if (event === undefined) return;
    if (event instanceof Error || event.type === "done") {
      this.last = event;
      return;
    }
    this.#reply.next(event);
    if (this.#reply.length > this.#settings.limits.eventLength)
      throw this.#breach("too_large", "the reply is longer than the client's limit");
  }

  #read(message: EventSourceMessage): EventRead {
    const type = message.event;
    // Unknown events are for newer clients.
    if (type !== "start" && type !== "delta" && type !== "done" && type !== "error") return undefined;
    const data = parseData(message.data);
    if (data === undefined) return this.#breach("shape", `${type} is not JSON`);
    if (type === "error") {
      const { response, call } = this.#connection;
      return toChatApiError(data.value, { operation: call.operation, headers: response.headers });
    }
    if (type !== "start" && !this.#isStarted) return this.#breach("sequence", `${type} came before start`);
    if (type === "start" && this.#isStarted && !this.#settings.mayRestart)
      return this.#breach("sequence", "start came twice");
    this.#isStarted = true;
    const reading = this.#settings.parse.event(type, data.value);
    return "value" in reading ? reading.value : this.#breach("shape", `${type} at ${reading.deviation}`);
  }

  #breach(kind: ContractErrorKind, what: string): ContractError {
    return contractError(this.#connection, kind, what);
  }
}

function parseData(data: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(data) };
  } catch {
    // The engine's error quotes the text; the caller describes the kind instead.
    return undefined;
  }
}

/** Room for the field's name in the parser's buffer, so that only the value counts towards the limit. */
const fieldNameLength = 16;

/** Decodes server-sent events from bytes in chunks of any size. */
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
