/** The turn stream as the caller reads it: one reply, however often the connection was lost. */

import { connect } from "./connection.ts";
import { ChatConnectionError, StreamInterruptedError } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import type { StreamedEvent } from "./parser.ts";
import { ReplyText } from "./reply-text.ts";
import { type Call, checkCall } from "./request.ts";
import { requireSuccess } from "./response.ts";
import { createRetryLoop, type RetryLoop } from "./retry-loop.ts";
import { readTurn } from "./turn-attempt.ts";

/**
 * One streamed reply. Nothing is sent before the first event is requested.
 *
 * It yields `start`, deltas, then `done`, and ends. A connection lost before `done` is hidden: the request is
 * repeated with the same key, and of the repeated text only the new part is yielded. If the repeated attempt
 * streams a different text (the agent answered anew) or another reply, the stream yields `start` again. Each
 * `start` begins a new text, so a reader discards the earlier one.
 *
 * `break`, or aborting the call's signal, ends it without `done` and without an error; otherwise it ends
 * with `done` or throws:
 * - ChatApiError: the Chat API rejected the message, or sent an `error` event;
 * - StreamInterruptedError: the stream was lost and could not be resumed; the outcome is unknown;
 * - ChatConnectionError: no successful response ever began;
 * - ContractError: the server does not speak the Chat API.
 */
export interface TurnStream extends AsyncIterable<StreamedEvent> {
  /** Whether the first response was a replay (200, not 201). Undefined before the first event. */
  readonly replayed: boolean | undefined;
  /**
   * Reads the stream with callbacks. An iterator creates a promise per event, which costs a server that
   * forwards many events more than the events themselves. Resolves when the iterator would end; rejects with
   * what it would throw, or with an error that `onEvent` throws.
   */
  read(onEvent: (event: StreamedEvent) => void): Promise<void>;
}

/** The stream's state, which the reading functions update. */
interface StreamState {
  replayed: boolean | undefined;
  /** True once `done` has been read. The connection then ends by itself. */
  finished: boolean;
}

export class ClientTurnStream implements TurnStream {
  readonly #call: Call;
  readonly #settings: ClientSettings;
  readonly #state: StreamState = { replayed: undefined, finished: false };
  #isTaken = false;

  constructor(call: Call, settings: ClientSettings) {
    this.#call = call;
    this.#settings = settings;
  }

  get replayed(): boolean | undefined {
    return this.#state.replayed;
  }

  read(onEvent: (event: StreamedEvent) => void): Promise<void> {
    this.#take();
    return readTurns({ call: this.#call, settings: this.#settings, state: this.#state, onEvent });
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamedEvent, void> {
    this.#take();
    return iterate(this.#call, this.#settings, this.#state);
  }

  #take(): void {
    if (this.#isTaken) {
      throw new TypeError("A turn stream can be read once. Call streamMessage again, with the same key.");
    }
    this.#isTaken = true;
  }
}

function iterate(
  call: Call,
  settings: ClientSettings,
  state: StreamState,
): AsyncIterator<StreamedEvent, void> {
  const scope = new AbortController();
  const abort = () => scope.abort();
  if (call.signal?.aborted) abort();
  call.signal?.addEventListener("abort", abort, { once: true });
  const ended = { done: true, value: undefined } as const;

  let reading: Promise<void> | undefined;
  let failure: unknown;
  const release = () => call.signal?.removeEventListener("abort", abort);

  async function read(queue: ReadableStreamDefaultController<StreamedEvent>): Promise<void> {
    const onEvent = (event: StreamedEvent) => queue.enqueue(event);
    try {
      await readTurns({ call: { ...call, signal: scope.signal }, settings, state, onEvent });
    } catch (error) {
      // Kept until the earlier events are delivered: `queue.error` would drop them.
      failure = error;
    }
    release();
    queue.close();
  }
  const events = new ReadableStream<StreamedEvent>(
    {
      pull(queue) {
        reading ??= read(queue);
      },
    },
    { highWaterMark: 0 },
  ).getReader();

  return {
    async next() {
      const result = scope.signal.aborted ? ended : await events.read();
      if (!result.done && !scope.signal.aborted) return result;
      await reading;
      const error = failure;
      failure = undefined;
      if (error === undefined || scope.signal.aborted) return ended;
      throw error;
    },
    async return() {
      if (!state.finished) abort();
      release();
      await reading;
      return ended;
    },
  };
}

interface TurnReading {
  call: Call;
  settings: ClientSettings;
  state: StreamState;
  onEvent(event: StreamedEvent): void;
}

async function readTurns({ call, settings, state, onEvent }: TurnReading): Promise<void> {
  checkCall(call);
  const loop = createRetryLoop(call, settings, true);
  const endsAt = settings.now() + settings.timeouts.stream;
  const reply = new ReplyText(onEvent);
  while (!call.signal?.aborted) {
    try {
      await loop.admit();
      await readAttempt({ call, settings, state, loop, endsAt, reply });
      if (state.finished) return;
      throw new ChatConnectionError(call.operation, "cut");
    } catch (error) {
      if (call.signal?.aborted) return;
      await loop.failed(error).catch((last: unknown) => {
        if (call.signal?.aborted) return;
        // `replayed` is set once a stream has begun.
        const interrupted = last instanceof ChatConnectionError && state.replayed !== undefined;
        throw interrupted ? new StreamInterruptedError(last) : last;
      });
    }
  }
}

interface AttemptContext extends Omit<TurnReading, "onEvent"> {
  loop: RetryLoop;
  endsAt: number;
  reply: ReplyText;
}

async function readAttempt({ call, settings, state, loop, endsAt, reply }: AttemptContext): Promise<void> {
  const connection = await connect(call, settings);
  try {
    await requireSuccess(connection, settings);
    state.replayed ??= connection.response.status === 200;
    loop.succeeded();
    await readTurn({
      connection,
      settings,
      endsAt,
      reply,
      onAlive: loop.alive,
      onDone(event) {
        state.finished = true;
        reply.next(event);
      },
    });
  } finally {
    connection.close();
  }
}
