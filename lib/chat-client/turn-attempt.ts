/** The events of one attempt at a turn stream, checked for shape and order. */
import type { EventSourceMessage } from "eventsource-parser";
import type { ChatApiError } from "../chat-api/errors.ts";
import { eventStreamType } from "../chat-api/turn-events.ts";
import type { Connection } from "./connection.ts";
import { toChatApiError } from "./error-response.ts";
import type { ContractError, ContractErrorKind } from "./errors.ts";
import { EventDecoder } from "./event-decoder.ts";
import type { ClientSettings } from "./options.ts";
import type { StreamedEvent } from "./parser.ts";
import type { ReplyText } from "./reply-text.ts";
import { contractError, mediaTypeOf } from "./response.ts";

export interface TurnAttempt {
  connection: Connection;
  settings: ClientSettings;
  /** The stream's deadline, by the settings' clock. */
  endsAt: number;
  /** Receives `start` and the deltas. */
  reply: ReplyText;
  /** Called after the reading, if bytes arrived, with the time of the last ones by the settings' clock. */
  onAlive(at: number): void;
  onDone(event: StreamedEvent): void;
}

/**
 * Passes on the events of a successful response. Resolves after `done`, and also without it if the stream
 * ended early without an error.
 * @throws ChatApiError for an `error` event, ContractError for a breach of the specification,
 * ChatConnectionError for a broken or silent connection, and whatever the callbacks throw.
 */
export async function readTurn(attempt: TurnAttempt): Promise<void> {
  const { connection } = attempt;
  const type = mediaTypeOf(connection);
  if (type !== eventStreamType) {
    // A proxy's page may pass; a server that answers as JSON has probably stored the message, and will again.
    const kind = type === "application/json" ? "shape" : "unreadable";
    throw contractError(connection, kind, "the response is no event stream");
  }
  const reader = new EventReader(attempt);
  try {
    while (reader.last === undefined) {
      const bytes = await connection.read(reader.allowance());
      if (bytes === undefined) break;
      reader.take(bytes);
    }
  } finally {
    if (reader.hasBytes) attempt.onAlive(reader.aliveAt);
  }
  // The response is about to end by itself: aborting it at `done` would keep the connection from serving
  // another request.
  void connection.drain();
  if (reader.last instanceof Error) throw reader.last;
  if (reader.last !== undefined) attempt.onDone(reader.last);
}

/** Bytes of a UTF-16 code unit in UTF-8. */
const maxBytesPerUnit = 3;

/** A terminal event or a kind ends the reading. Undefined for an unknown event. */
type EventRead = StreamedEvent | ChatApiError | ContractError | undefined;

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
  readonly #attempt: TurnAttempt;
  readonly #settings: ClientSettings;
  readonly #decoder: EventDecoder;
  /** Set by the `start` of this attempt. */
  #isStarted = false;
  /**
   * Bytes since the last event. The parser drops lines that are not fields of an event, so its own limit does
   * not apply to them.
   */
  #fruitlessBytes = 0;

  constructor(attempt: TurnAttempt) {
    this.#attempt = attempt;
    this.#settings = attempt.settings;
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

  /** How long the server may be silent from now on, in milliseconds. */
  allowance(): number {
    return Math.min(this.#settings.timeouts.idle, this.#attempt.endsAt - this.aliveAt);
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
    const { reply } = this.#attempt;
    reply.next(event);
    if (reply.length > this.#settings.limits.eventLength)
      throw this.#breach("too_large", "the reply is longer than the client's limit");
  }

  #read(message: EventSourceMessage): EventRead {
    const type = message.event;
    // Unknown events are for newer clients.
    if (type !== "start" && type !== "delta" && type !== "done" && type !== "error") return undefined;
    const data = parseData(message.data);
    if (data === undefined) return this.#breach("shape", `${type} is not JSON`);
    if (type === "error") {
      const { response, call } = this.#attempt.connection;
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
    return contractError(this.#attempt.connection, kind, what);
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
