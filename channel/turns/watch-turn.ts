/** Follows a turn from beginning to end, in whichever process it runs. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { turnLimits } from "../channel-limits.ts";
import type { Database } from "../db/database.ts";
import { isDatabaseUnavailable } from "../db/database-errors.ts";
import { retried } from "../retry.ts";
import type { TurnEngine } from "./turn-engine.ts";
import { outcomeOf, readOperation, type TurnOutcome } from "./turn-store.ts";

export type TurnUpdate = { type: "delta"; text: string } | { type: "end"; outcome: TurnOutcome };

/** The streamed text of the attempt with this fence, and its outcome once it has ended. */
interface TurnState {
  fence: number;
  text: string;
  outcome: TurnOutcome | undefined;
}

/**
 * Yields the reply's parts, then its end. Stops early when `signal` aborts.
 *
 * A failed attempt leaves text behind that the next attempt may not repeat. While the new text matches what
 * was passed on, the watcher waits for it to catch up. Once it differs, the watcher ends with
 * `service_unavailable`, which makes the client repeat its request. So the text of any single stream is a
 * prefix of its reply, unless a closing question has replaced the streamed text.
 */
export async function* watchTurn(
  deps: { database: Database; engine: TurnEngine },
  operationId: string,
  signal: AbortSignal,
): AsyncGenerator<TurnUpdate, void, undefined> {
  const changes = watchChanges(deps, operationId, signal);
  const readRow = async (): Promise<TurnState> => {
    const row = await readOperation(deps.database.sql, operationId);
    return { fence: row?.fence ?? 0, text: row?.streamedText ?? "", outcome: outcomeOf(row) };
  };
  // A database restart must not end a reader's stream. An outage that outlasts a lease does.
  const outages = {
    isTemporary: isDatabaseUnavailable,
    within: turnLimits.lease,
    interval: turnLimits.watchPoll,
    signal,
  };
  const unlessAborted = (error: unknown) => {
    if (!signal.aborted) throw error;
  };
  try {
    let passedOn = "";
    let fence: number | undefined;
    for (;;) {
      changes.arm();
      if (signal.aborted) return;
      const seen = deps.engine.live(operationId) ?? (await retried(readRow, outages).catch(unlessAborted));
      if (seen === undefined) return;
      // A snapshot: a live turn may grow or end while a part is being passed on.
      const state: TurnState = { fence: seen.fence, text: seen.text, outcome: seen.outcome };
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
      await changes.next();
    }
  } finally {
    changes.remove();
  }
}

/** How the turn ended; undefined after the timeout. */
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

/** The streamed text. For a finished turn: the reply, unless a closing question replaced it. */
function textOf(state: TurnState): string {
  const reply = state.outcome?.state === "succeeded" ? state.outcome.turn?.reply?.text : undefined;
  return reply?.startsWith(state.text) === true ? reply : state.text;
}

/** Wakes the watcher on changes in this process, on notifications from others and at a polling interval. */
function watchChanges(
  deps: { database: Database; engine: TurnEngine },
  operationId: string,
  signal: AbortSignal,
) {
  let changed = Promise.withResolvers<void>();
  const wake = () => changed.resolve();
  const unsubscribe = deps.database.onNotify((name) => {
    if (name === operationId) wake();
  });
  signal.addEventListener("abort", wake);
  let live = deps.engine.live(operationId);
  let hasAsked = false;
  return {
    /** Call before reading, so that no change in between is missed. */
    arm() {
      changed = Promise.withResolvers<void>();
      live = deps.engine.live(operationId) ?? live;
      live?.watchers.add(wake);
    },
    async next(): Promise<void> {
      const running = deps.engine.live(operationId);
      // A turn that has started in this process since `arm` does not know this watcher yet.
      if (running !== undefined) return running === live ? changed.promise : undefined;
      if (!hasAsked) void deps.engine.follow(operationId);
      hasAsked = true;
      const poll = setTimeout(() => {
        // A notification may be lost, or another process may run the turn by now.
        hasAsked = false;
        wake();
      }, turnLimits.watchPoll);
      await changed.promise;
      clearTimeout(poll);
    },
    remove() {
      unsubscribe();
      signal.removeEventListener("abort", wake);
      live?.watchers.delete(wake);
    },
  };
}
