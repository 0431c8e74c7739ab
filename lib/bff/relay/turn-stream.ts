/**
 * Sends a message and answers with the turn stream of its reply. The only file that writes one: the client
 * has parsed and validated each event, and here it is encoded again for the browser. Neither side blocks the
 * other: a browser that leaves does not stop the turn, a slow one does not fill the memory, and one that
 * reads nothing is disconnected.
 */
import { bodyOfError, ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import type { SendMessageBody } from "../../chat-api/operations/send-message.ts";
import {
  encodeDelta,
  encodeTurnEvent,
  eventStreamType,
  isTerminal,
  keepAliveComment,
  type TurnEvent,
} from "../../chat-api/turn-events.ts";
import { bffLimits } from "../configuration/limits.ts";
import { writeStatus } from "../http/responses.ts";
import type { OperationCall } from "../http/route.ts";

/** One reason for all streams, because an abort without a reason creates an exception with a stack trace. */
const unneeded = new Error("The Chat API's stream is no longer needed");

export const streamHeaders = {
  "Content-Type": eventStreamType,
  // A proxy that compresses or buffers the stream would delay every delta.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/**
 * Responds when the message is acknowledged (`start`), so that an earlier error is a JSON error with its own
 * status. If `start` takes long after the Chat API has accepted the request, the response begins with
 * comments, because a browser takes long silence for a lost connection.
 * @throws ChatApiError
 */
export async function streamTurn(call: OperationCall<"sendMessage", SendMessageBody>): Promise<Response> {
  const { bff, chatId, body, key, requestId, note } = call;
  const browser = call.request.signal;
  // Aborted when nobody needs the Chat API's stream any more. The turn itself continues there.
  const upstreamAbort = new AbortController();
  /** Set once the response begins. */
  let writer: TurnWriter | undefined;
  // The error to end the stream with, if the process stops or a guest has signed in.
  let stopReason: ChatApiError | undefined;
  const slot = bff.streams.open(call, (error) => {
    stopReason = error;
    if (writer === undefined) upstreamAbort.abort(unneeded);
    else writer.fail(error);
  });
  let slowStart: NodeJS.Timeout | undefined;
  let detached: NodeJS.Timeout | undefined;
  // The customer has pressed Send, so a tab that is closed at once must not keep the message from being
  // stored: the request is aborted only if the acknowledgement takes too long.
  const onLeave = () => {
    slot.leave();
    detached = setTimeout(() => upstreamAbort.abort(unneeded), bffLimits.detachTime);
  };
  if (browser.aborted) onLeave();
  browser.addEventListener("abort", onLeave, { once: true });
  /** Called at the acknowledgement, or when there will be none. */
  const stopWaiting = () => {
    clearInterval(slowStart);
    clearTimeout(detached);
    browser.removeEventListener("abort", onLeave);
  };

  function begin(): TurnWriter {
    stopWaiting();
    browser.throwIfAborted();
    const logLater = call.deferLog();
    bff.observe({ type: "stream_started", requestId });
    return new TurnWriter({
      requestId,
      browser,
      checkCaller: bff.identity.watch(call, call.session),
      abortUpstream: () => upstreamAbort.abort(unneeded),
      onUnexpectedError: (err) =>
        call.log().error({ event: "unexpected_error", err }, "Unexpected error in a stream"),
      onEnd(outcome, facts) {
        slot.release();
        bff.observe({ type: "stream_ended", requestId, outcome });
        note({ outcome, ...facts });
        // Node sends the first and the last bytes at the next tick, and the line would delay them.
        process.nextTick(logLater);
      },
    });
  }

  try {
    const stream = call.upstream.streamMessage(chatId, body, {
      idempotencyKey: key,
      signal: upstreamAbort.signal,
    });
    const begun = await new Promise<TurnWriter>((resolve, reject) => {
      slowStart = setInterval(() => {
        if (stream.replayed() === undefined || browser.aborted) return;
        writer = begin();
        writer.keepAlive();
        resolve(writer);
      }, limits.keepAliveInterval);
      stream
        .read((event) => {
          if (writer === undefined) {
            writer = begin();
            resolve(writer);
          }
          writer.send(event);
        })
        .then(() => {
          if (writer?.isDecided) return;
          // The stream ended without `done`, because a stream whose signal is aborted ends without an error.
          throw (
            stopReason ?? new ChatApiError(writer === undefined ? "upstream_unreachable" : "internal_error")
          );
        })
        .catch((error: unknown) => {
          if (writer === undefined) reject(error);
          else writer.fail(error);
        });
    });
    const status = writeStatus("sendMessage", stream.replayed() === true);
    return new Response(begun.body, { status, headers: streamHeaders });
  } catch (error) {
    stopWaiting();
    upstreamAbort.abort(unneeded);
    slot.release();
    throw error;
  }
}

/** How a stream ended, for the log. */
export type TurnOutcome = "done" | "error" | "left" | "stalled";

type Refusal = ChatApiError | undefined;

export interface TurnWriterOptions {
  /** Our request ID. The Chat API's is not for the browser. */
  requestId: string;
  /**
   * Aborted when the browser disconnects. The body's `cancel` is not enough: Next neither reads nor cancels
   * the body of a response whose browser left before it began.
   */
  browser: AbortSignal;
  /**
   * Called before each write. Returns the error to end the stream with if the request no longer has the same
   * caller, or if the host fails to name it. A promise only when the host is asked, because a promise per
   * delta costs more than the delta.
   */
  checkCaller(): Promise<Refusal> | undefined;
  /** Closes the connection to the Chat API. */
  abortUpstream(): void;
  /** Called for errors other than `ChatApiError`: internal errors, which the browser learns nothing about. */
  onUnexpectedError(thrown: unknown): void;
  /** Called once, at the end. */
  onEnd(outcome: TurnOutcome, facts: { events: number; writes: number }): void;
}

/** Writes a turn's events while the browser reads them and the caller is still the same. */
export class TurnWriter {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: TurnWriterOptions;
  readonly #keepAlive: NodeJS.Timeout;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Waiting events before the delta that may still grow. */
  #encoded = "";
  /** Deltas that wait together become one event. */
  #delta = "";
  /** True while the reader waits for bytes. */
  #isAsked = false;
  /** True from the decision to write until it is done. */
  #isWriting = false;
  /** Set by the first outcome. Only a change of caller, before the last write, replaces it. */
  #outcome: TurnOutcome | undefined;
  #isFinished = false;
  #stallTimer: NodeJS.Timeout | undefined;
  #events = 0;
  #writes = 0;

  constructor(options: TurnWriterOptions) {
    this.#options = options;
    this.#keepAlive = setInterval(this.keepAlive, limits.keepAliveInterval);
    options.browser.addEventListener("abort", this.#disconnected, { once: true });
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.#isAsked = true;
          this.#request();
        },
        cancel: () => this.#leave(),
      },
      // The stream buffers nothing, so that deltas wait here and are joined.
      { highWaterMark: 0 },
    );
  }

  /** True once the outcome is known. Later events and errors are ignored. */
  get isDecided(): boolean {
    return this.#outcome !== undefined;
  }

  send(event: TurnEvent): void {
    if (this.isDecided) return;
    this.#events += 1;
    const { requestId } = this.#options;
    if (event.type === "delta") this.#delta += event.text;
    else
      this.#encoded =
        this.#waiting() + encodeTurnEvent(event.type === "start" ? { ...event, requestId } : event);
    if (isTerminal(event)) this.#conclude(event.type === "done" ? "done" : "error");
    this.#request();
  }

  /** Sends a comment, and with it the response's head, which otherwise waits for the first event. */
  readonly keepAlive = (): void => {
    if (this.#waiting() !== "") return;
    this.#encoded = keepAliveComment;
    this.#request();
  };

  /** Ends the stream with an error. */
  fail(thrown: unknown): void {
    const isExpected = thrown instanceof ChatApiError;
    if (!isExpected && !this.isDecided) this.#options.onUnexpectedError(thrown);
    this.send(this.#errorEvent(isExpected ? thrown : new ChatApiError("internal_error")));
  }

  #errorEvent(error: ChatApiError): TurnEvent {
    return { type: "error", ...bodyOfError(error, this.#options.requestId) };
  }

  /** All waiting events, encoded. */
  #waiting(): string {
    if (this.#delta !== "") this.#encoded += encodeDelta(this.#delta);
    this.#delta = "";
    return this.#encoded;
  }

  /**
   * Writes the waiting events if the browser asks for more, which it must do in time: once for all events of
   * a chunk, which arrive before the microtask. When the Chat API is ahead of this process, a write for each
   * event costs more than the events themselves (`npm run bench -- saturation`). No promise waits for an
   * event: the objects that wait for a thousand streams make V8's short pauses long.
   */
  #request(): void {
    if (this.#encoded === "" && this.#delta === "") return;
    if (!this.#isAsked) this.#awaitRoom();
    else if (!this.#isWriting) {
      this.#isWriting = true;
      queueMicrotask(this.#write);
    }
  }

  readonly #write = (): void => {
    const asked = this.#options.checkCaller();
    if (asked === undefined) this.#enqueue(undefined);
    else {
      this.#awaitRoom();
      void asked.then((refusal) => this.#enqueue(refusal));
    }
  };

  #enqueue(refusal: Refusal): void {
    this.#isWriting = false;
    if (this.#isFinished) return;
    if (refusal !== undefined) {
      this.#conclude("error");
      this.#outcome = "error";
      // Drops the waiting events, even a whole reply: they are not for the new caller.
      this.#delta = "";
      this.#encoded = encodeTurnEvent(this.#errorEvent(refusal));
    }
    this.#writes += 1;
    const bytes = Buffer.from(this.#waiting());
    this.#encoded = "";
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    this.#isAsked = false;
    this.#controller?.enqueue(bytes);
    if (this.#outcome === undefined) return;
    this.#controller?.close();
    this.#finish(this.#outcome);
  }

  #awaitRoom(): void {
    this.#stallTimer ??= setTimeout(this.#stalled, bffLimits.readerStallTime);
  }

  readonly #stalled = (): void => {
    this.#conclude("stalled");
    this.#controller?.error(new Error("The reader stalled"));
    this.#finish("stalled");
  };

  #leave(): void {
    this.#conclude("left");
    this.#finish(this.#outcome ?? "left");
  }

  readonly #disconnected = (): void => {
    if (this.#isFinished) return;
    this.#leave();
    this.#controller?.close();
  };

  #conclude(how: TurnOutcome): void {
    if (this.isDecided) return;
    this.#outcome = how;
    clearInterval(this.#keepAlive);
    this.#options.abortUpstream();
  }

  #finish(how: TurnOutcome): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    clearTimeout(this.#stallTimer);
    this.#options.browser.removeEventListener("abort", this.#disconnected);
    this.#options.onEnd(how, { events: this.#events, writes: this.#writes });
  }
}
