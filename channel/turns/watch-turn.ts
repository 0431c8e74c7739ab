/** Follows a turn, wherever it runs, from its beginning to its end. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Database, Sql } from "../db/database.ts";
import { turnLimits } from "../limits.ts";
import { outcomeOf, type TurnOutcome } from "./outcome.ts";
import type { TurnEngine } from "./turn-engine.ts";
import { readTurn } from "./turn-store.ts";

export type TurnUpdate = { type: "delta"; text: string } | { type: "end"; outcome: TurnOutcome };

/** What the turn has streamed, in the attempt with this fence, and how it ended, if it has. */
interface TurnState {
  fence: number;
  text: string;
  outcome: TurnOutcome | undefined;
}

/**
 * The reply's parts, then its end; stops early when `signal` aborts.
 *
 * An attempt that failed leaves text behind which the next one may not repeat. As long as the new text agrees with
 * what was passed on, the watcher waits for it to catch up; when it cannot, the watcher is sent away with
 * `service_unavailable` ("send the same request again"), so that what one stream passes on is always the reply's text.
 */
export async function* watchTurn(
  deps: { database: Database; engine: TurnEngine },
  operationId: string,
  signal: AbortSignal,
): AsyncGenerator<TurnUpdate, void, undefined> {
  const bell = createBell(deps, operationId, signal);
  const readRows = rowReader(deps.database.sql, operationId);
  try {
    let passedOn = "";
    let fence: number | undefined;
    for (;;) {
      bell.set();
      if (signal.aborted) return;
      const { fence: attempt, text: streamed, outcome } = deps.engine.live(operationId) ?? (await readRows());
      // Of one moment: a live turn goes on, and may end, while a part of it is passed on.
      const state: TurnState = { fence: attempt, text: streamed, outcome };
      const text = textOf(state);
      const agrees = text.startsWith(passedOn);
      if (agrees) {
        fence = state.fence;
        if (text !== passedOn) yield { type: "delta", text: text.slice(passedOn.length) };
        passedOn = text;
      } else if (state.fence !== fence && (state.outcome !== undefined || !passedOn.startsWith(text))) {
        yield { type: "end", outcome: { state: "failed", error: new ChatApiError("service_unavailable") } };
        return;
      }
      if (state.outcome !== undefined) {
        yield { type: "end", outcome: state.outcome };
        return;
      }
      await bell.rung();
    }
  } finally {
    bell.remove();
  }
}

/** How the turn ended; undefined when the time is over before. */
export async function turnEnd(
  deps: { database: Database; engine: TurnEngine },
  operationId: string,
  timeout: number,
): Promise<TurnOutcome | undefined> {
  for await (const update of watchTurn(deps, operationId, AbortSignal.timeout(timeout))) {
    if (update.type === "end") return update.outcome;
  }
  return undefined;
}

/** What was streamed; of a finished turn the reply itself, which is the same unless it ended in a question. */
function textOf(state: TurnState): string {
  const reply = state.outcome?.state === "succeeded" ? state.outcome.turn?.reply?.text : undefined;
  return reply?.startsWith(state.text) === true ? reply : state.text;
}

/** Reads the turn's rows, of which the deltas only once. */
function rowReader(sql: Sql, operationId: string): () => Promise<TurnState> {
  let text = "";
  let sequence = 0;
  let fence = 0;
  return async () => {
    let turn = await readTurn(sql, operationId, sequence);
    if (turn !== undefined && turn.operation.fence !== fence) {
      // Another attempt, whose deltas count from the beginning.
      if (sequence > 0) turn = await readTurn(sql, operationId, 0);
      fence = turn?.operation.fence ?? fence;
      sequence = 0;
      text = "";
    }
    for (const delta of turn?.deltas ?? []) {
      text += delta.text;
      sequence = delta.sequence;
    }
    return { fence, text, outcome: outcomeOf(turn?.operation) };
  };
}

/** Rings when it is worth looking at the turn again: at a change here, at a hint from elsewhere, once in a while without. */
function createBell(
  deps: { database: Database; engine: TurnEngine },
  operationId: string,
  signal: AbortSignal,
) {
  let next = Promise.withResolvers<void>();
  const ring = () => next.resolve();
  const stopHints = deps.database.onNotify((name) => {
    if (name === operationId) ring();
  });
  signal.addEventListener("abort", ring);
  let live = deps.engine.live(operationId);
  return {
    /** To be called before looking, so that nothing that changes meanwhile is missed. */
    set() {
      next = Promise.withResolvers<void>();
      live = deps.engine.live(operationId) ?? live;
      live?.watchers.add(ring);
    },
    async rung(): Promise<void> {
      const poll =
        deps.engine.live(operationId) === undefined ? setTimeout(ring, turnLimits.watchPoll) : undefined;
      await next.promise;
      clearTimeout(poll);
    },
    remove() {
      stopHints();
      signal.removeEventListener("abort", ring);
      live?.watchers.delete(ring);
    },
  };
}
