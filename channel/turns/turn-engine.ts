/**
 * Runs turns, detached from the requests that began them: a customer who leaves, a BFF that restarts or a connection
 * that breaks does not stop an answer (specification, "Events", rule 4). The agent works between two transactions,
 * never inside one; what keeps two processes from answering twice is in the statements (`turn-store.ts`).
 */
import { setTimeout as pause } from "node:timers/promises";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Agent } from "../agents/agent.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { isDatabaseUnavailable } from "../db/database-errors.ts";
import type { ReachKillPoint } from "../kill-points.ts";
import { turnLimits } from "../limits.ts";
import type { ReportFault } from "../report-fault.ts";
import { agentInput } from "./agent-input.ts";
import { askAgent } from "./ask-agent.ts";
import { createDeltaLog } from "./delta-log.ts";
import { finishReply } from "./finish-reply.ts";
import { LiveTurn } from "./live-turn.ts";
import { outcomeOf, type TurnOutcome } from "./outcome.ts";
import type { ReplyEffects } from "./reply-effects.ts";
import {
  type Attempt,
  interruptTurn,
  loadTurn,
  nextAttempt,
  readOperation,
  releaseLease,
  renewLease,
} from "./turn-store.ts";

export interface TurnDeps {
  database: Database;
  agent: Agent;
  clock: Clock;
  effects: ReplyEffects;
  reach: ReachKillPoint;
  report: ReportFault;
}

/** Why an attempt stops before its end, as the reason of its abort. */
class AttemptEnded extends Error {
  override name = "AttemptEnded";
  /** `lost`: the row says that it is not ours any more. `stopping`: the process is told to end. */
  readonly why: "lost" | "overdue" | "stopping";

  constructor(why: AttemptEnded["why"]) {
    super(`the attempt is ${why}`);
    this.why = why;
  }
}

/** Goes before the operation's name in a hint that it was ended by somebody else than its executor. */
const endedHint = "ended:";

interface RunningTurn {
  operationId: string;
  live: LiveTurn;
  attempt: Attempt;
  /** Of the running attempt. */
  abort: AbortController;
  ended: Promise<void>;
}

export class TurnEngine {
  readonly #deps: TurnDeps;
  /** What runs in this process: from `run` until the turn has ended or belongs to another process. */
  readonly #running = new Map<string, RunningTurn>();
  /** From the beginning of an orderly stop: no new turn begins. */
  #isStopping = false;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
    deps.database.onNotify((name) => {
      if (name.startsWith(endedHint)) this.#abandon(name.slice(endedHint.length));
    });
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** @throws ChatApiError `service_unavailable` while the process stops. */
  requireAccepting(): void {
    if (this.#isStopping) throw new ChatApiError("service_unavailable");
  }

  /** The turn, if it runs in this process. */
  live(operationId: string): LiveTurn | undefined {
    return this.#running.get(operationId)?.live;
  }

  /** Runs an attempt that this process holds the lease of, to its end. Returns at once. */
  run(attempt: Attempt): void {
    const { operationId } = attempt;
    if (this.#running.has(operationId)) return;
    const live = new LiveTurn(attempt.fence);
    const turn: RunningTurn = {
      operationId,
      live,
      attempt,
      abort: new AbortController(),
      ended: Promise.resolve(),
    };
    this.#running.set(operationId, turn);
    turn.ended = this.#runToEnd(turn)
      .catch((error: unknown) => this.#deps.report("turn", error))
      .finally(() => {
        this.#running.delete(operationId);
        live.wake();
        void this.#hint(operationId);
      });
    void this.#hint(operationId);
  }

  /** To be called when the operation's row was ended by somebody else: its agent stops, wherever it runs. */
  async abandon(operationId: string): Promise<void> {
    this.#abandon(operationId);
    await this.#hint(`${endedHint}${operationId}`);
    await this.#hint(operationId);
  }

  #abandon(operationId: string): void {
    this.#running.get(operationId)?.abort.abort(new AttemptEnded("lost"));
  }

  /** Lets running turns end for a while, then gives them back: the next process to look for orphans answers them. */
  async stop(grace: number): Promise<void> {
    this.#isStopping = true;
    const ends = Promise.all([...this.#running.values()].map((turn) => turn.ended));
    await Promise.race([ends, pause(grace, undefined, { ref: false })]);
    for (const turn of this.#running.values()) turn.abort.abort(new AttemptEnded("stopping"));
    await ends;
  }

  async #runToEnd(turn: RunningTurn): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        if (failures > 0) await this.#pause(turn, turnLimits.retryPause * failures);
        turn.live.settle(await this.#runAttempt(turn));
        return;
      } catch (error) {
        if (!(await this.#beginAgain(turn, error))) return;
      }
    }
  }

  async #runAttempt(turn: RunningTurn): Promise<TurnOutcome> {
    const { database, agent, reach } = this.#deps;
    const { live, attempt } = turn;
    const { signal } = turn.abort;
    const endLease = this.#keepLease(turn);
    const log = createDeltaLog(this.#deps, attempt, () => this.#abandon(turn.operationId));
    try {
      const loaded = await loadTurn(database.sql, attempt);
      if (loaded === undefined) throw new AttemptEnded("lost");
      const input = await agentInput(this.#deps, loaded);
      const draft = await askAgent(agent, input, signal, (text) => {
        live.append(text);
        log.append(text);
        reach("K4");
      });
      signal.throwIfAborted();
      reach("K5");
      const outcome = await this.#whenAvailable(turn, () => finishReply(this.#deps, loaded, attempt, draft));
      if (outcome === undefined) throw new AttemptEnded("lost");
      reach("K6");
      return outcome;
    } finally {
      endLease();
      log.stop();
    }
  }

  /** Decides what becomes of a turn whose attempt ended without a reply. True: it is run once more. */
  async #beginAgain(turn: RunningTurn, error: unknown): Promise<boolean> {
    const why = endedWhy(error) ?? endedWhy(turn.abort.signal.reason);
    if (why === "stopping") {
      await releaseLease(this.#deps.database.sql, turn.attempt);
      turn.live.settle({ state: "failed", error: new ChatApiError("service_unavailable") });
      return false;
    }
    if (why !== "lost") {
      this.#deps.report("attempt", error);
      turn.abort = new AbortController();
      const next = await this.#whenAvailable(turn, () => this.#nextAttempt(turn));
      if (next !== undefined) {
        turn.attempt = next;
        turn.live.restart(next.fence);
        return true;
      }
    }
    const row = await readOperation(this.#deps.database.sql, turn.operationId);
    // What streamed here is not what somebody else's attempt says.
    if (row !== undefined && row.fence !== turn.attempt.fence) turn.live.restart(row.fence);
    const outcome = outcomeOf(row);
    if (outcome !== undefined) turn.live.settle(outcome);
    return false;
  }

  /** Undefined: there is none, since the attempts are used up or the turn is somebody else's. */
  async #nextAttempt(turn: RunningTurn): Promise<Attempt | undefined> {
    const { database, clock } = this.#deps;
    const row = await readOperation(database.sql, turn.operationId);
    if (row === undefined) return undefined;
    if (row.attempts < turnLimits.attempts) return nextAttempt(database.sql, turn.attempt, database.owner);
    await interruptTurn(database.sql, turn.attempt, row.chatId, clock.now());
    return undefined;
  }

  /** Renews the lease until the end is called, and ends an attempt that lasts too long. */
  #keepLease(turn: RunningTurn): () => void {
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

  /** Repeats what fails because the database is away, as long as the lease lasts: a reply is not lost to a restart of it. */
  async #whenAvailable<T>(turn: RunningTurn, run: () => Promise<T>): Promise<T> {
    const end = performance.now() + turnLimits.lease;
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!isDatabaseUnavailable(error) || performance.now() > end) throw error;
        await this.#pause(turn, turnLimits.retryPause);
      }
    }
  }

  async #pause(turn: RunningTurn, milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: turn.abort.signal });
  }

  /** Tells watchers in other processes to look. They look by themselves, too: a hint that fails is only late. */
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
