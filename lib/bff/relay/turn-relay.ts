/**
 * Relays a turn stream to a browser. The client has parsed and validated each event, and the relay encodes it
 * again. Neither side blocks the other: a browser that leaves does not stop the turn, a slow one does not
 * fill the memory, a silent one is dropped.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import { isTerminal, type TurnEvent } from "../../chat-api/turn-events.ts";
import type { StreamedEvent } from "../../chat-client/client.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { BodySink, PushedBody } from "../exchange/chat-response.ts";
import { createPendingEvents } from "./pending-events.ts";

/** How the relay of a stream ended, for the log. */
export type RelayOutcome = "done" | "error" | "left" | "stalled";

type Refusal = ChatApiError | undefined;

export interface TurnRelayOptions {
  /** Our request ID. The Chat API's is not for the browser. */
  requestId: string;
  /**
   * Aborted when the browser disconnects. The body's `cancel` is not enough: Next neither reads nor cancels
   * the body of a response whose browser left before it began.
   */
  browser: AbortSignal;
  /**
   * Asked before each write: the error to end the stream with if the request no longer belongs to the same
   * caller. Synchronous if the host is, because a promise per delta costs more than the delta.
   */
  whyNot(): Refusal | Promise<Refusal>;
  /** Closes the connection to the Chat API. */
  abortUpstream(): void;
  /** Called for errors other than `ChatApiError`: internal errors, which the browser learns nothing about. */
  onFault(thrown: unknown): void;
  /** Called once, at the end. */
  onEnd(outcome: RelayOutcome, facts: { events: number; writes: number }): void;
}

export interface TurnRelay extends PushedBody {
  /** Relays an event, at once if there is room. */
  send(event: StreamedEvent): void;
  /** Ends the stream with an error. */
  fail(thrown: unknown): void;
  /** True once the outcome is known: nothing that follows changes it. */
  readonly isDecided: boolean;
}

export function createTurnRelay(options: TurnRelayOptions): TurnRelay {
  const { requestId, browser, whyNot, abortUpstream, onFault, onEnd } = options;
  const pending = createPendingEvents();
  let sink: BodySink | undefined;
  let hasRoom = false;
  // True while the host is asked whether the waiting events may be written.
  let isAsking = false;
  // Set once, by the first outcome.
  let outcome: RelayOutcome | undefined;
  let stallTimer: NodeJS.Timeout | undefined;
  // Set once, when nothing more can reach the browser.
  let finished = false;
  // True from an event until the end of the chunk that it came with.
  let isFlushDue = false;
  let received = 0;
  let writes = 0;

  const keepAlive = setInterval(() => {
    if (!pending.isEmpty) return;
    pending.addComment();
    flush();
  }, limits.keepAliveInterval);

  function conclude(how: RelayOutcome): void {
    if (outcome !== undefined) return;
    outcome = how;
    clearInterval(keepAlive);
    abortUpstream();
  }

  /**
   * Writes the waiting events if there is room. The reader must make room in time, also for the last event.
   */
  function flush() {
    if (finished || isAsking) return;
    if (!hasRoom || pending.isEmpty) return settle();
    const refusal = whyNot();
    if (!(refusal instanceof Promise)) return write(refusal);
    isAsking = true;
    stallTimer ??= setTimeout(stalled, bffLimits.readerStallTime);
    void refusal.then((refused) => {
      isAsking = false;
      write(refused);
    });
  }

  function write(refusal: Refusal) {
    if (finished) return;
    if (refusal !== undefined) revoke(refusal);
    writes += 1;
    hasRoom = sink?.write(pending.take()) === true;
    clearTimeout(stallTimer);
    stallTimer = undefined;
    settle();
  }

  /** Drops the waiting events, even a whole reply: they are not for the new caller. */
  function revoke(error: ChatApiError) {
    pending.replace({ type: "error", ...error.toBody(requestId) });
    conclude("error");
    outcome = "error";
  }

  function settle() {
    if (pending.isEmpty && outcome !== undefined) {
      sink?.end();
      finish(outcome);
    } else if (!pending.isEmpty) {
      stallTimer ??= setTimeout(stalled, bffLimits.readerStallTime);
    }
  }

  function stalled() {
    conclude("stalled");
    sink?.destroy(new Error("The reader stalled"));
    finish("stalled");
  }

  function finish(how: RelayOutcome) {
    if (finished) return;
    finished = true;
    clearTimeout(stallTimer);
    browser.removeEventListener("abort", disconnected);
    onEnd(how, { events: received, writes });
  }

  function add(event: TurnEvent) {
    if (outcome !== undefined) return;
    received += 1;
    pending.add(event.type === "start" ? { ...event, requestId } : event);
    if (isTerminal(event)) conclude(event.type === "done" ? "done" : "error");
    flushSoon();
  }

  /**
   * Writes all events of a chunk together: when the Chat API is ahead of this process, a write for each costs
   * more than the events themselves (`npm run bench -- saturation`). A lone delta does not wait.
   */
  function flushSoon() {
    if (isFlushDue) return;
    isFlushDue = true;
    queueMicrotask(() => {
      isFlushDue = false;
      flush();
    });
  }

  function left() {
    conclude("left");
    finish(outcome ?? "left");
  }

  function disconnected() {
    left();
    sink?.end();
  }
  browser.addEventListener("abort", disconnected, { once: true });

  return {
    send: add,
    get isDecided() {
      return outcome !== undefined;
    },
    fail(thrown) {
      const known = thrown instanceof ChatApiError;
      if (!known && outcome === undefined) onFault(thrown);
      const error = known ? thrown : new ChatApiError("internal_error");
      add({ type: "error", ...error.toBody(requestId) });
    },
    open(to) {
      sink = to;
    },
    drained() {
      hasRoom = true;
      flush();
    },
    left,
  };
}
