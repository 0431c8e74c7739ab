/**
 * Runs turns independently of the requests that started them: a disconnected customer or a restarted BFF does
 * not stop a reply. The agent runs between two transactions, never inside one. The statements in
 * `turn-store.ts` ensure that no two processes answer the same turn.
 */
import { setTimeout as pause } from "node:timers/promises";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Agent } from "../agents/agent.ts";
import { turnLimits } from "../channel-limits.ts";
import type { Core } from "../core.ts";
import { isDatabaseUnavailable } from "../db/database-errors.ts";
import { retried, untilAborted } from "../retry.ts";
import type { SettingsStore } from "../settings/settings.ts";
import { agentInput, askAgent } from "./agent-reply.ts";
import { createDeltaLog, type DeltaLog } from "./delta-log.ts";
import { finishReply } from "./finish-reply.ts";
import {
  type Attempt,
  findOrphans,
  interruptTurn,
  type LoadedTurn,
  loadTurn,
  nextAttempt,
  outcomeOf,
  readOperation,
  releaseLease,
  renewLease,
  type TurnOutcome,
} from "./turn-store.ts";

export interface TurnDeps extends Omit<Core, "channelKey"> {
  agent: Agent;
  settings: Pick<SettingsStore, "current">;
}

/** Why an attempt was aborted; used as the signal's reason. */
class AttemptEnded extends Error {
  override name = "AttemptEnded";
  /**
   * `lost`: the turn has ended or belongs to another attempt. `overdue`: the deadline has passed. `stopping`:
   * the process is shutting down.
   */
  readonly why: "lost" | "overdue" | "stopping";

  constructor(why: AttemptEnded["why"]) {
    super(`the attempt is ${why}`);
    this.why = why;
  }
}

/** Prefix of notifications that an operation has ended, to the process that runs its turn. */
const endedHint = "ended:";
/** Prefix of notifications that another process follows an operation, to the process that runs its turn. */
const followedHint = "followed:";

/**
 * A turn running in this process: its text so far. Watchers pull: each remembers how much text it has passed
 * on. A slow watcher blocks nothing and buffers nothing; it receives the text that has accumulated in one
 * piece.
 */
class LiveTurn {
  attempt: Attempt;
  /** The rows that the claim read; later attempts load them. */
  loaded: LoadedTurn | undefined;
  readonly isStreamed: boolean;
  /** The running attempt's text; a failed attempt's text is discarded. */
  text = "";
  /** Set once, when the turn ends. */
  outcome: TurnOutcome | undefined;
  /** Called on every change, and when the turn stops running in this process. */
  readonly watchers = new Set<() => void>();
  /** The running attempt's delta log. */
  log: DeltaLog | undefined;
  /**
   * True once a reader in another process follows the turn: its text is then stored, and other processes are
   * notified of changes.
   */
  isFollowed = false;
  /** Aborts the running attempt. */
  abort = new AbortController();
  ended = Promise.resolve();

  constructor(attempt: Attempt, loaded: LoadedTurn | undefined, isStreamed: boolean) {
    this.attempt = attempt;
    this.loaded = loaded;
    this.isStreamed = isStreamed;
  }

  get operationId(): string {
    return this.attempt.operationId;
  }

  /** The running attempt's fence. */
  get fence(): number {
    return this.attempt.fence;
  }

  append(text: string): void {
    this.text += text;
    this.wake();
  }

  restart(attempt: Attempt): void {
    this.attempt = attempt;
    this.loaded = undefined;
    this.text = "";
    this.wake();
  }

  settle(outcome: TurnOutcome): void {
    this.outcome ??= outcome;
    this.wake();
  }

  wake(): void {
    for (const watcher of this.watchers) watcher();
  }
}

export class TurnEngine {
  readonly #deps: TurnDeps;
  /** Turns of this process: from `run` until they end or move to another process. */
  readonly #running = new Map<string, LiveTurn>();
  readonly #ignoreHints: () => void;
  /** Set at the start of a graceful stop: no new turns. */
  #isStopping = false;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
    this.#ignoreHints = deps.database.onNotify((name) => {
      if (name.startsWith(endedHint)) this.#abandon(name.slice(endedHint.length));
      if (name.startsWith(followedHint)) this.#beFollowed(name.slice(followedHint.length));
    });
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** @throws ChatApiError `service_unavailable` during a graceful stop */
  requireAccepting(): void {
    if (this.#isStopping) throw new ChatApiError("service_unavailable");
  }

  /** The turn, if it is running in this process. */
  live(operationId: string): LiveTurn | undefined {
    return this.#running.get(operationId);
  }

  /**
   * Runs an attempt, whose lease this process holds, in the background. `loaded`: the rows that the claim has
   * read. `isStreamed`: whether a request reads the reply as a stream; a turn that another process began may
   * have one.
   */
  run(
    attempt: Attempt,
    { loaded, isStreamed = true }: { loaded?: LoadedTurn; isStreamed?: boolean } = {},
  ): void {
    const { operationId } = attempt;
    if (this.#running.has(operationId)) return;
    const turn = new LiveTurn(attempt, loaded, isStreamed);
    this.#running.set(operationId, turn);
    turn.ended = this.#runToEnd(turn)
      .catch((error: unknown) => {
        // The turn was aborted again while its row was read. Its readers then read the row themselves.
        if (endedWhy(error) === undefined) this.#deps.report("turn", error);
      })
      .finally(() => {
        this.#running.delete(operationId);
        turn.wake();
        if (turn.isFollowed) void this.#hint(operationId);
      });
  }

  /** Asks the turn's process to store its deltas. Repeated while a reader waits for them. */
  async follow(operationId: string): Promise<void> {
    await this.#hint(`${followedHint}${operationId}`);
  }

  #beFollowed(operationId: string): void {
    const turn = this.#running.get(operationId);
    if (turn === undefined) return;
    turn.isFollowed = true;
    turn.log?.follow();
  }

  /** Aborts the agent, in whichever process it runs, after the operation has ended for another reason. */
  async abandon(operationId: string): Promise<void> {
    this.#abandon(operationId);
    await this.#hint(`${endedHint}${operationId}`);
    await this.#hint(operationId);
  }

  /** Aborts every turn of this process, whose rows are about to be deleted or replaced. */
  async abandonAll(): Promise<void> {
    const turns = [...this.#running.values()];
    for (const turn of turns) turn.abort.abort(new AttemptEnded("lost"));
    await Promise.all(turns.map((turn) => turn.ended));
  }

  #abandon(operationId: string): void {
    this.#running.get(operationId)?.abort.abort(new AttemptEnded("lost"));
  }

  /** Gives running turns time to end, then releases the others for the next recovery. */
  async stop(grace: number): Promise<void> {
    this.#isStopping = true;
    const ends = Promise.all([...this.#running.values()].map((turn) => turn.ended));
    await Promise.race([ends, pause(grace, undefined, { ref: false })]);
    for (const turn of this.#running.values()) turn.abort.abort(new AttemptEnded("stopping"));
    await ends;
    this.#ignoreHints();
  }

  async #runToEnd(turn: LiveTurn): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        if (failures > 0)
          await pause(turnLimits.retryPause * failures, undefined, { signal: turn.abort.signal });
        turn.settle(await this.#runAttempt(turn));
        return;
      } catch (error) {
        if (!(await this.#beginAgain(turn, error))) return;
      }
    }
  }

  async #runAttempt(turn: LiveTurn): Promise<TurnOutcome> {
    const { database, agent, reach } = this.#deps;
    const { attempt } = turn;
    const { signal } = turn.abort;
    const endLease = this.#keepLease(turn);
    const log = createDeltaLog(this.#deps, attempt, () => this.#abandon(turn.operationId));
    turn.log = log;
    if (turn.isFollowed) log.follow();
    try {
      const loaded = turn.loaded ?? (await this.#whenAvailable(turn, () => loadTurn(database.sql, attempt)));
      if (loaded === undefined) throw new AttemptEnded("lost");
      const input = await this.#whenAvailable(turn, () => agentInput(database, loaded, turn.isStreamed));
      const draft = await askAgent(agent, input, signal, (text) => {
        turn.append(text);
        log.append(text);
        reach("between-deltas");
      });
      log.stop();
      signal.throwIfAborted();
      reach("before-finish");
      const finished = await this.#whenAvailable(turn, () => finishReply(this.#deps, loaded, attempt, draft));
      if (finished === undefined) throw new AttemptEnded("lost");
      reach("after-finish");
      return { state: "succeeded", turn: finished };
    } finally {
      endLease();
      log.stop();
    }
  }

  /** Handles an attempt that ended without a reply. True if another attempt is to follow. */
  async #beginAgain(turn: LiveTurn, error: unknown): Promise<boolean> {
    const why = endedWhy(error) ?? endedWhy(turn.abort.signal.reason);
    if (why === "stopping") {
      turn.settle({ state: "failed", error: new ChatApiError("service_unavailable") });
      await releaseLease(this.#deps.database.sql, turn.attempt);
      return false;
    }
    turn.abort = new AbortController();
    if (why !== "lost") {
      this.#deps.report("attempt", error);
      const next = await this.#whenAvailable(turn, () => this.#nextAttempt(turn));
      if (next !== undefined) {
        turn.restart(next);
        return true;
      }
    }
    const row = await this.#whenAvailable(turn, () =>
      readOperation(this.#deps.database.sql, turn.operationId),
    );
    // Another attempt owns the turn, so the text that this process streamed is discarded.
    if (row !== undefined && row.fence !== turn.fence) turn.restart({ ...turn.attempt, fence: row.fence });
    const outcome = outcomeOf(row);
    if (outcome !== undefined) turn.settle(outcome);
    return false;
  }

  /** Claims the next attempt. Undefined if the attempts are used up or another process has the turn. */
  async #nextAttempt(turn: LiveTurn): Promise<Attempt | undefined> {
    const { database, clock } = this.#deps;
    const row = await readOperation(database.sql, turn.operationId);
    if (row === undefined) return undefined;
    if (row.attempts < turnLimits.attempts) return nextAttempt(database.sql, turn.attempt, database.owner);
    await interruptTurn(database.sql, turn.attempt, row.chatId, clock.now());
    return undefined;
  }

  /** Renews the lease and enforces the attempt's deadline, until the returned function is called. */
  #keepLease(turn: LiveTurn): () => void {
    const { database, report } = this.#deps;
    const { attempt, abort } = turn;
    const renewal = setInterval(() => {
      renewLease(database.sql, attempt).then(
        (isOurs) => {
          if (!isOurs) abort.abort(new AttemptEnded("lost"));
        },
        (error: unknown) => report("lease", error),
      );
    }, turnLimits.leaseRenewal);
    const overdue = setTimeout(() => abort.abort(new AttemptEnded("overdue")), turnLimits.attemptDuration);
    return () => {
      clearInterval(renewal);
      clearTimeout(overdue);
    };
  }

  /**
   * Retries for up to the length of a lease, so that a short database outage loses no reply. The end of the
   * attempt does not wait for a query that the database does not answer.
   */
  async #whenAvailable<T>(turn: LiveTurn, run: () => Promise<T>): Promise<T> {
    const { signal } = turn.abort;
    const retries = retried(run, {
      isTemporary: isDatabaseUnavailable,
      within: turnLimits.lease,
      interval: turnLimits.retryPause,
      signal,
    });
    return untilAborted(signal, retries);
  }

  /**
   * Notifies other processes. Watchers poll as well and engines renew their leases, so that a lost
   * notification only delays them.
   */
  async #hint(name: string): Promise<void> {
    try {
      await this.#deps.database.notify(name);
    } catch (error) {
      this.#deps.report("hint", error);
    }
  }
}

function endedWhy(error: unknown): AttemptEnded["why"] | undefined {
  return error instanceof AttemptEnded ? error.why : undefined;
}

/**
 * Takes over a few orphaned turns, oldest first. The row guards every step, so that parallel recoveries and
 * crashes in the middle do no harm. Returns how many were resumed or interrupted.
 */
export async function recoverTurns(deps: Omit<Core, "report"> & { engine: TurnEngine }): Promise<number> {
  const { database, engine, clock } = deps;
  const alive = await database.aliveOwners();
  const orphans = await findOrphans(database, deps.channelKey, alive, turnLimits.recoveredAtOnce);
  // A turn that runs in this process is not orphaned: its lease expired because the process was suspended or
  // could not reach the database.
  const lost = orphans.filter((orphan) => engine.live(orphan.id) === undefined);
  let recovered = 0;
  for (const orphan of lost) {
    deps.reach("while-recovering");
    const attempt = { operationId: orphan.id, fence: orphan.fence };
    if (orphan.attempts >= turnLimits.attempts) {
      if (await interruptTurn(database.sql, attempt, orphan.chatId, clock.now())) recovered += 1;
      continue;
    }
    const next = await nextAttempt(database.sql, attempt, database.owner);
    if (next === undefined) continue;
    engine.run(next);
    recovered += 1;
  }
  return recovered;
}
