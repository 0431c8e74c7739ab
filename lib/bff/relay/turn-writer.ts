/** Writes a turn's events to one browser, while the socket has room and the caller is still the same. */
import type { ChatApiError } from "../../chat-api/errors.ts";
import type { TurnEvent } from "../../chat-api/turn-events.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { BodySink } from "../exchange/chat-response.ts";
import { createPendingEvents } from "./pending-events.ts";

type Refusal = ChatApiError | undefined;

export interface TurnWriterOptions {
  /**
   * Called before each write. Returns the error to end the stream with if the request no longer has the same
   * caller. Synchronous if the host is, because a promise per delta costs more than the delta.
   */
  checkCaller(): Refusal | Promise<Refusal>;
  /** Called when the caller has changed. Returns the event to write in place of all waiting ones. */
  onRevoked(error: ChatApiError): TurnEvent;
  /** Called whenever everything has been written. */
  onWritten(): void;
  /** Called when the browser has read nothing for too long. */
  onStalled(): void;
}

export function createTurnWriter({ checkCaller, onRevoked, onWritten, onStalled }: TurnWriterOptions) {
  const pending = createPendingEvents();
  let sink: BodySink | undefined;
  let hasRoom = false;
  // True while the host is asked whether the waiting events may be written.
  let isAsking = false;
  // Set once, when nothing more can reach the browser.
  let isClosed = false;
  let stallTimer: NodeJS.Timeout | undefined;
  let writes = 0;

  /**
   * Writes the waiting events if there is room. The reader must make room in time, even for the last event.
   */
  function flush() {
    if (isClosed || isAsking) return;
    if (!hasRoom || pending.isEmpty()) return settle();
    const refusal = checkCaller();
    if (!(refusal instanceof Promise)) return write(refusal);
    isAsking = true;
    stallTimer ??= setTimeout(onStalled, bffLimits.readerStallTime);
    void refusal.then((refused) => {
      isAsking = false;
      write(refused);
    });
  }

  function write(refusal: Refusal) {
    if (isClosed) return;
    // Drops the waiting events, even a whole reply: they are not for the new caller.
    if (refusal !== undefined) pending.replace(onRevoked(refusal));
    writes += 1;
    hasRoom = sink?.write(pending.take()) === true;
    clearTimeout(stallTimer);
    stallTimer = undefined;
    settle();
  }

  function settle() {
    if (pending.isEmpty()) onWritten();
    else stallTimer ??= setTimeout(onStalled, bffLimits.readerStallTime);
  }

  const flushSoon = oncePerChunk(flush);

  return {
    add(event: TurnEvent) {
      pending.add(event);
      flushSoon();
    },
    keepAlive() {
      if (!pending.isEmpty()) return;
      pending.addComment();
      flush();
    },
    open(to: BodySink) {
      sink = to;
    },
    drained() {
      hasRoom = true;
      flush();
    },
    /** Stops writing. Returns the number of writes. */
    close(): number {
      isClosed = true;
      clearTimeout(stallTimer);
      return writes;
    },
    end() {
      sink?.end();
    },
    destroy(error: Error) {
      sink?.destroy(error);
    },
  };
}

/**
 * Acts once for all events of a chunk: when the Chat API is ahead of this process, a write for each event
 * costs more than the events themselves (`npm run bench -- saturation`). A lone delta does not wait.
 */
function oncePerChunk(act: () => void): () => void {
  let isDue = false;
  const end = () => {
    isDue = false;
    act();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(end);
  };
}
