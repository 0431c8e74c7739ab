/** The turn stream as the caller reads it: one reply, however often the connection was lost. */

import { attempting, type Progress } from "./attempts.ts";
import { connect } from "./connection.ts";
import { ChatConnectionError } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import type { StreamedEvent } from "./parser.ts";
import { ReplyText } from "./reply-text.ts";
import { type Call, checkCall } from "./request.ts";
import { requireSuccess } from "./response.ts";
import { readTurn } from "./turn-attempt.ts";

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
  /** True once `done` has been read. The connection then ends by itself. */
  #isFinished = false;

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

  async #attempt(progress: Progress, endsAt: number, reply: ReplyText): Promise<void> {
    const connection = await connect(this.#call, this.#settings);
    try {
      await requireSuccess(connection, this.#settings);
      this.replayed ??= connection.response.status === 200;
      progress.succeeded();
      await readTurn({
        connection,
        settings: this.#settings,
        endsAt,
        reply,
        onAlive: progress.alive,
        onDone: (event) => {
          this.#isFinished = true;
          reply.next(event);
        },
      });
    } finally {
      connection.close();
    }
    if (!this.#isFinished) throw new ChatConnectionError(this.#call.operation, "cut");
  }
}
