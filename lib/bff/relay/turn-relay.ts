/**
 * Relays a turn stream to a browser. The client has parsed and validated each event, and the relay encodes it
 * again. Neither side blocks the other: a browser that leaves does not stop the turn, a slow one does not
 * fill the memory, a silent one is dropped.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import { isTerminal, type TurnEvent } from "../../chat-api/turn-events.ts";
import type { StreamedEvent } from "../../chat-client/client.ts";
import type { PushedBody } from "../exchange/chat-response.ts";
import { createTurnWriter, type TurnWriterOptions } from "./turn-writer.ts";

/** How the relay of a stream ended, for the log. */
export type RelayOutcome = "done" | "error" | "left" | "stalled";

export interface TurnRelayOptions extends Pick<TurnWriterOptions, "checkCaller"> {
  /** Our request ID. The Chat API's is not for the browser. */
  requestId: string;
  /**
   * Aborted when the browser disconnects. The body's `cancel` is not enough: Next neither reads nor cancels
   * the body of a response whose browser left before it began.
   */
  browser: AbortSignal;
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
  isDecided(): boolean;
}

export function createTurnRelay(options: TurnRelayOptions): TurnRelay {
  const { requestId, browser, checkCaller, abortUpstream, onFault, onEnd } = options;
  // Set by the first outcome. Only a change of caller, before the last write, replaces it.
  let outcome: RelayOutcome | undefined;
  let finished = false;
  let received = 0;

  const writer = createTurnWriter({
    checkCaller,
    onRevoked(error) {
      conclude("error");
      outcome = "error";
      return { type: "error", ...error.toBody(requestId) };
    },
    onWritten() {
      if (outcome === undefined) return;
      writer.end();
      finish(outcome);
    },
    onStalled() {
      conclude("stalled");
      writer.destroy(new Error("The reader stalled"));
      finish("stalled");
    },
  });
  const keepAlive = setInterval(writer.keepAlive, limits.keepAliveInterval);

  function conclude(how: RelayOutcome): void {
    if (outcome !== undefined) return;
    outcome = how;
    clearInterval(keepAlive);
    abortUpstream();
  }

  function finish(how: RelayOutcome) {
    if (finished) return;
    finished = true;
    browser.removeEventListener("abort", disconnected);
    onEnd(how, { events: received, writes: writer.close() });
  }

  function send(event: TurnEvent) {
    if (outcome !== undefined) return;
    received += 1;
    writer.add(event.type === "start" ? { ...event, requestId } : event);
    if (isTerminal(event)) conclude(event.type === "done" ? "done" : "error");
  }

  function left() {
    conclude("left");
    finish(outcome ?? "left");
  }

  function disconnected() {
    left();
    writer.end();
  }
  browser.addEventListener("abort", disconnected, { once: true });

  return {
    send,
    isDecided: () => outcome !== undefined,
    fail(thrown) {
      const known = thrown instanceof ChatApiError;
      if (!known && outcome === undefined) onFault(thrown);
      const error = known ? thrown : new ChatApiError("internal_error");
      send({ type: "error", ...error.toBody(requestId) });
    },
    open: writer.open,
    drained: writer.drained,
    left,
  };
}
