/**
 * Passes a turn stream on to a browser: each event has been parsed and validated by the client, and is written anew.
 * Neither side holds the other: a browser that leaves does not stop the turn, a slow one does not fill our memory, a
 * silent one is let go.
 */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { isTerminal, type TurnEvent } from "#lib/chat-api/turn-events.ts";
import type { StreamedEvent } from "#lib/chat-client/client.ts";
import { bffLimits } from "../limits.ts";
import { createPendingEvents } from "./pending-events.ts";

/** How the relay of a stream ended, for the log. */
export type RelayOutcome = "done" | "error" | "left" | "stalled";

export interface TurnRelay {
  /** The turn stream after its first event. Ends after `done`, or throws a `ChatApiError`. */
  events: AsyncIterator<StreamedEvent>;
  first: StreamedEvent;
  /** Our own request ID: the Chat API's is none of the browser's business. */
  requestId: string;
  /** Aborted, with a `ChatApiError`, to end the stream early. */
  stop: AbortSignal;
  /** Closes the connection to the Chat API. */
  letGo(): void;
  /** Called for what was thrown and is no `ChatApiError`: a fault of ours, which the browser learns nothing of. */
  onFault(thrown: unknown): void;
  /** Called once, at the end of all. */
  onEnd(outcome: RelayOutcome, facts: { events: number; writes: number }): void;
}

/** The body of the answer to the browser. */
export function relayTurn({
  events,
  first,
  requestId,
  stop,
  letGo,
  onFault,
  onEnd,
}: TurnRelay): ReadableStream<Uint8Array> {
  const pending = createPendingEvents();
  // Set once, by whatever ends the relay first.
  let outcome: RelayOutcome | undefined;
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  let stallTimer: NodeJS.Timeout | undefined;
  // Set once, when nothing more can reach the browser.
  let finished = false;
  let received = 0;
  let writes = 0;

  const keepAlive = setInterval(() => {
    if (!pending.isEmpty) return;
    pending.addComment();
    watchReader();
  }, limits.keepAliveInterval);

  function conclude(how: RelayOutcome): boolean {
    if (outcome !== undefined) return false;
    outcome = how;
    clearInterval(keepAlive);
    stop.removeEventListener("abort", stopped);
    letGo();
    pending.end();
    watchReader();
    return true;
  }

  /** Anything waiting must be fetched in time, also after the last event: an unread answer holds its socket. */
  function watchReader() {
    clearTimeout(stallTimer);
    if (pending.isEmpty) return;
    stallTimer = setTimeout(() => {
      conclude("stalled");
      control?.error(new Error("The reader stalled"));
      finish("stalled");
    }, bffLimits.readerStallTime);
  }

  function finish(how: RelayOutcome) {
    if (finished) return;
    finished = true;
    clearTimeout(stallTimer);
    onEnd(how, { events: received, writes });
  }

  function add(event: TurnEvent) {
    if (outcome !== undefined) return;
    received += 1;
    const wasEmpty = pending.isEmpty;
    pending.add(event.type === "start" ? { ...event, requestId } : event);
    if (wasEmpty) watchReader();
    if (isTerminal(event)) conclude(event.type === "done" ? "done" : "error");
  }

  function fail(thrown: unknown) {
    const known = thrown instanceof ChatApiError;
    if (!known && outcome === undefined) onFault(thrown);
    const error = known ? thrown : new ChatApiError("internal_error");
    add({ type: "error", ...error.toBody(requestId) });
  }
  const stopped = () => fail(stop.reason);

  async function pump() {
    add(first);
    while (outcome === undefined) {
      const { done, value } = await events.next();
      // Let go of, which ends a stream quietly; otherwise it ends with `done` or throws.
      if (done === true) throw new ChatApiError("internal_error");
      add(value);
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        control = controller;
        stop.addEventListener("abort", stopped, { once: true });
        if (stop.aborted) stopped();
        pump().catch(fail);
      },
      async pull(controller) {
        await pending.available();
        // Left or stalled while this waited: there is nobody to write to.
        if (finished) return;
        const bytes = pending.take();
        watchReader();
        if (bytes !== undefined) {
          writes += 1;
          controller.enqueue(bytes);
        }
        if (outcome !== undefined) {
          controller.close();
          finish(outcome);
        }
      },
      cancel() {
        conclude("left");
        finish(outcome ?? "left");
      },
    },
    // Nothing is prepared ahead of the socket, so that deltas which must wait are joined.
    { highWaterMark: 0 },
  );
}
