/** Finds turns that nobody runs any more and runs them: after a crash, after an orderly stop, after a zombie. */
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { ReachKillPoint } from "../kill-points.ts";
import { turnLimits } from "../limits.ts";
import type { TurnEngine } from "./turn-engine.ts";
import { findOrphans, interruptTurn, nextAttempt } from "./turn-store.ts";

export interface RecoveryDeps {
  database: Database;
  channelKey: string;
  engine: TurnEngine;
  clock: Clock;
  reach: ReachKillPoint;
}

/**
 * Takes over a few orphaned turns, the oldest first. Every step is guarded by the row, so that it does not matter who
 * else looks at the same time, or where a crash cuts it short. Returns how many there were.
 */
export async function recoverTurns(deps: RecoveryDeps): Promise<number> {
  const { database, engine, clock } = deps;
  const alive = await database.aliveOwners();
  const orphans = await findOrphans(database, deps.channelKey, alive, turnLimits.recoveredAtOnce);
  // One whose lease ran out while it runs here (the process was held up) is only late.
  const lost = orphans.filter((orphan) => engine.live(orphan.id) === undefined);
  for (const orphan of lost) {
    deps.reach("K11");
    const attempt = { operationId: orphan.id, fence: orphan.fence };
    if (orphan.attempts >= turnLimits.attempts) {
      await interruptTurn(database.sql, attempt, orphan.chatId, clock.now());
      continue;
    }
    const next = await nextAttempt(database.sql, attempt, database.owner);
    if (next !== undefined) engine.run(next);
  }
  return lost.length;
}
