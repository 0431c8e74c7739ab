/** Writes a turn's events to one browser, while the socket has room and the caller is still the same. */
import type { ChatApiError } from "../../chat-api/errors.ts";
import type { TurnEvent } from "../../chat-api/turn-events.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { BodySink } from "../transport/chat-response.ts";
import { PendingEvents } from "./pending-events.ts";

type Refusal = ChatApiError | undefined;

export interface TurnWriterOptions {
  /**
   * Called before each write. Returns the error to end the stream with if the request no longer has the same
   * caller, or if the host fails to name it. A promise only when the host is asked and its `customerOf` is
   * asynchronous, because a promise per delta costs more than the delta.
   */
  checkCaller(): Refusal | Promise<Refusal>;
  /** Called with the error of `checkCaller`. Returns the event to write in place of all waiting ones. */
  onRevoked(error: ChatApiError): TurnEvent;
  /** Called whenever everything has been written. */
  onWritten(): void;
  /** Called when the browser has read nothing for too long. */
  onStalled(): void;
}

/** A class, like everything on a delta's path (docs/decisions/033-a-stream-is-few-objects.md). */
export class TurnWriter {
  readonly #options: TurnWriterOptions;
  readonly #pending = new PendingEvents();
  #sink: BodySink | undefined;
  #hasRoom = false;
  /** True while the host is asked whether the waiting events may be written. */
  #isAsking = false;
  /** True while `#flush` waits for the other events of a chunk. */
  #isDue = false;
  /** Set once, when nothing more can reach the browser. */
  #isClosed = false;
  #stallTimer: NodeJS.Timeout | undefined;
  #writes = 0;

  constructor(options: TurnWriterOptions) {
    this.#options = options;
  }

  /**
   * Writes once for all events of a chunk: when the Chat API is ahead of this process, a write for each event
   * costs more than the events themselves (`npm run bench -- saturation`). A lone delta does not wait.
   */
  add(event: TurnEvent): void {
    this.#pending.add(event);
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(this.#flushDue);
  }

  readonly keepAlive = (): void => {
    if (!this.#pending.isEmpty) return;
    this.#pending.addComment();
    this.#flush();
  };

  open(sink: BodySink): void {
    this.#sink = sink;
  }

  drained(): void {
    this.#hasRoom = true;
    this.#flush();
  }

  /** Stops writing. Returns the number of writes. */
  close(): number {
    this.#isClosed = true;
    clearTimeout(this.#stallTimer);
    return this.#writes;
  }

  end(): void {
    this.#sink?.end();
  }

  destroy(error: Error): void {
    this.#sink?.destroy(error);
  }

  readonly #flushDue = (): void => {
    this.#isDue = false;
    this.#flush();
  };

  /**
   * Writes the waiting events if there is room. The reader must make room in time, even for the last event.
   */
  #flush(): void {
    if (this.#isClosed || this.#isAsking) return;
    if (!this.#hasRoom || this.#pending.isEmpty) {
      this.#settle();
      return;
    }
    const refusal = this.#options.checkCaller();
    if (!(refusal instanceof Promise)) {
      this.#write(refusal);
      return;
    }
    this.#isAsking = true;
    this.#awaitRoom();
    void refusal.then((refused) => {
      this.#isAsking = false;
      this.#write(refused);
    });
  }

  #write(refusal: Refusal): void {
    if (this.#isClosed) return;
    // Drops the waiting events, even a whole reply: they are not for the new caller.
    if (refusal !== undefined) this.#pending.replace(this.#options.onRevoked(refusal));
    this.#writes += 1;
    this.#hasRoom = this.#sink?.write(this.#pending.take()) === true;
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    this.#settle();
  }

  #settle(): void {
    if (this.#pending.isEmpty) this.#options.onWritten();
    else this.#awaitRoom();
  }

  #awaitRoom(): void {
    this.#stallTimer ??= setTimeout(this.#options.onStalled, bffLimits.readerStallTime);
  }
}
