/** Resumes orphaned turns: after a crash, after a graceful stop, and when a process hangs. */
import { turnLimits } from "../channel-limits.ts";
import type { TurnRequestDeps } from "./send-message.ts";
import { findOrphans, interruptTurn, nextAttempt } from "./turn-store.ts";

/**
 * Takes over a few orphaned turns, oldest first. The row guards every step, so that parallel recoveries and
 * crashes in the middle do no harm. Returns how many were resumed or interrupted.
 */
export async function recoverTurns(deps: TurnRequestDeps & { channelKey: string }): Promise<number> {
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
