/**
 * Relays a turn stream to a browser. The client has parsed and validated each event, and the relay encodes it
 * again. Neither side blocks the other: a browser that leaves does not stop the turn, a slow one does not
 * fill the memory, and one that reads nothing is disconnected.
 */
import { bodyOfError, ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import { isTerminal, type TurnEvent } from "../../chat-api/turn-events.ts";
import type { StreamedEvent } from "../../chat-client/client.ts";
import type { BodySink, PushedBody } from "../transport/chat-response.ts";
import { TurnWriter, type TurnWriterOptions } from "./turn-writer.ts";

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
  onUnexpectedError(thrown: unknown): void;
  /** Called once, at the end. */
  onEnd(outcome: RelayOutcome, facts: { events: number; writes: number }): void;
}

export class TurnRelay implements PushedBody {
  readonly #options: TurnRelayOptions;
  readonly #writer: TurnWriter;
  readonly #keepAlive: NodeJS.Timeout;
  /** Set by the first outcome. Only a change of caller, before the last write, replaces it. */
  #outcome: RelayOutcome | undefined;
  #isFinished = false;
  #received = 0;

  constructor(options: TurnRelayOptions) {
    this.#options = options;
    this.#writer = new TurnWriter({
      checkCaller: options.checkCaller,
      onRevoked: (error) => {
        this.#conclude("error");
        this.#outcome = "error";
        return { type: "error", ...bodyOfError(error, options.requestId) };
      },
      onWritten: () => {
        if (this.#outcome === undefined) return;
        this.#writer.end();
        this.#finish(this.#outcome);
      },
      onStalled: () => {
        this.#conclude("stalled");
        this.#writer.destroy(new Error("The reader stalled"));
        this.#finish("stalled");
      },
    });
    this.#keepAlive = setInterval(this.#writer.keepAlive, limits.keepAliveInterval);
    options.browser.addEventListener("abort", this.#disconnected, { once: true });
  }

  /** True once the outcome is known. Later events and errors are ignored. */
  get isDecided(): boolean {
    return this.#outcome !== undefined;
  }

  /** Relays an event, at once if there is room. */
  send(event: StreamedEvent): void {
    this.#send(event.type === "start" ? { ...event, requestId: this.#options.requestId } : event);
  }

  /** Sends a comment, and with it the response's head, which otherwise waits for the first event. */
  keepAlive(): void {
    this.#writer.keepAlive();
  }

  /** Ends the stream with an error. */
  fail(thrown: unknown): void {
    const { onUnexpectedError, requestId } = this.#options;
    const isExpected = thrown instanceof ChatApiError;
    if (!isExpected && !this.isDecided) onUnexpectedError(thrown);
    const error = isExpected ? thrown : new ChatApiError("internal_error");
    this.#send({ type: "error", ...bodyOfError(error, requestId) });
  }

  open(sink: BodySink): void {
    this.#writer.open(sink);
  }

  drained(): void {
    this.#writer.drained();
  }

  left(): void {
    this.#conclude("left");
    this.#finish(this.#outcome ?? "left");
  }

  #send(event: TurnEvent): void {
    if (this.isDecided) return;
    this.#received += 1;
    this.#writer.add(event);
    if (isTerminal(event)) this.#conclude(event.type === "done" ? "done" : "error");
  }

  #conclude(how: RelayOutcome): void {
    if (this.isDecided) return;
    this.#outcome = how;
    clearInterval(this.#keepAlive);
    this.#options.abortUpstream();
  }

  #finish(how: RelayOutcome): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#options.browser.removeEventListener("abort", this.#disconnected);
    this.#options.onEnd(how, { events: this.#received, writes: this.#writer.close() });
  }

  readonly #disconnected = (): void => {
    this.left();
    this.#writer.end();
  };
}
