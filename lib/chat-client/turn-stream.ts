/** The turn stream as the caller reads it: one reply, however often the connection was lost. */
import { contractError, requireSuccess } from "./answer.ts";
import { connect } from "./connection.ts";
import { createDeadline } from "./deadline.ts";
import { ChatConnectionError, StreamInterruptedError } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import type { StreamedEvent } from "./parser.ts";
import { createReplyText, type ReplyText } from "./reply-text.ts";
import { type Call, checkCall } from "./request.ts";
import { createRetryLoop, type RetryLoop } from "./retry-loop.ts";
import { readTurn } from "./turn-attempt.ts";

/**
 * One streamed reply. Nothing is sent before the first event is asked for.
 *
 * It yields `start`, deltas, then `done`, and ends. A connection that is lost before `done` is hidden: the request is
 * repeated with the same key, and only text that has not been yielded yet is. When the repeated attempt tells another
 * text (the agent answered anew), or names another reply, `start` is yielded again: from each `start` on the text
 * counts from its beginning, so a reader drops what it has at each `start`.
 *
 * Breaking off, and aborting the call's signal, end it quietly, without `done`; otherwise it ends with `done` or throws:
 * - ChatApiError: the Chat API refused the message, or gave an `error` event;
 * - StreamInterruptedError: the stream was lost and could not be taken up again; the outcome is unknown;
 * - ChatConnectionError: no answer ever began;
 * - ContractError: the other side does not speak the Chat API.
 */
export interface TurnStream extends AsyncIterable<StreamedEvent> {
  /** Whether the first answer was a replay (200, not 201). Undefined before the first event. */
  readonly replayed: boolean | undefined;
}

/** What the generator tells the stream around it. */
interface StreamState {
  replayed: boolean | undefined;
  /** True once `done` has been read: what remains of the connection ends by itself. */
  finished: boolean;
}

export function createTurnStream(call: Call, settings: ClientSettings): TurnStream {
  const state: StreamState = { replayed: undefined, finished: false };
  let taken = false;
  return {
    get replayed() {
      return state.replayed;
    },
    [Symbol.asyncIterator]() {
      if (taken) {
        throw new TypeError("A turn stream can be read once. Call streamMessage again, with the same key.");
      }
      taken = true;
      return iterate(call, settings, state);
    },
  };
}

function iterate(
  call: Call,
  settings: ClientSettings,
  state: StreamState,
): AsyncIterator<StreamedEvent, void> {
  const scope = createDeadline(call.signal);
  const events = readTurns({ ...call, signal: scope.signal }, settings, state);
  const ended = { done: true, value: undefined } as const;

  async function end(): Promise<IteratorReturnResult<undefined>> {
    scope.release();
    await events.return();
    return ended;
  }

  return {
    async next() {
      if (scope.signal.aborted) return end();
      try {
        const result = await events.next();
        if (result.done) scope.release();
        return result;
      } catch (error) {
        scope.release();
        if (scope.signal.aborted) return ended;
        throw error;
      }
    },
    return() {
      // First, since a generator returns only after the read that it waits for.
      if (!state.finished) scope.abort();
      return end();
    },
  };
}

async function* readTurns(
  call: Call,
  settings: ClientSettings,
  state: StreamState,
): AsyncGenerator<StreamedEvent, void, undefined> {
  checkCall(call);
  const loop = createRetryLoop(call, settings, true);
  const endsAt = settings.now() + settings.timeouts.stream;
  const reply = createReplyText();
  while (true) {
    try {
      await loop.admit();
      yield* readAttempt(call, settings, { state, loop, endsAt, reply });
      if (state.finished) return;
      throw new ChatConnectionError(call.operation, "cut");
    } catch (error) {
      await loop.failed(error).catch((last: unknown) => {
        // `replayed` is known once there was an answer.
        const interrupted = last instanceof ChatConnectionError && state.replayed !== undefined;
        throw interrupted ? new StreamInterruptedError(last) : last;
      });
    }
  }
}

interface AttemptContext {
  state: StreamState;
  loop: RetryLoop;
  endsAt: number;
  reply: ReplyText;
}

async function* readAttempt(
  call: Call,
  settings: ClientSettings,
  { state, loop, endsAt, reply }: AttemptContext,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const connection = await connect(call, settings);
  try {
    await requireSuccess(connection, settings);
    state.replayed ??= connection.response.status === 200;
    loop.succeeded();
    reply.begin();
    for await (const events of readTurn({ connection, settings, endsAt, onAlive: loop.alive })) {
      for (const event of events) {
        state.finished = event.type === "done";
        yield* reply.next(event);
        if (reply.length > settings.limits.eventLength) {
          throw contractError(connection, "too_large", "the reply is longer than the client's limit");
        }
      }
    }
  } finally {
    connection.close();
  }
}
