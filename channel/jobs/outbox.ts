/**
 * Tells the team what was written down for it in the transactions that made it true. At least once: after a crash in
 * between, a notice is delivered again, and its ID tells the receiver so.
 */
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { chats, outbox } from "../db/schema.ts";
import type { ReachKillPoint } from "../kill-points.ts";
import type { ReportFault } from "../report-fault.ts";

export interface TeamNotice {
  /** The same for every delivery of the notice. */
  id: string;
  kind: string;
  chatId: string;
  payload: unknown;
}

/** Rejects when the team could not be told: the notice is delivered again at the next run. */
export type NotifyTeam = (notice: TeamNotice) => Promise<void>;

export interface OutboxDeps {
  database: Database;
  channelKey: string;
  clock: Clock;
  notifyTeam: NotifyTeam;
  reach: ReachKillPoint;
  report: ReportFault;
}

const batch = 50;

/** Delivers what is pending, the oldest first. Returns how many notices were delivered. */
export async function deliverOutbox(deps: OutboxDeps): Promise<number> {
  const { sql: db } = deps.database;
  const pending = await db
    .select({ id: outbox.id, kind: outbox.kind, chatId: outbox.chatId, payload: outbox.payload })
    .from(outbox)
    .innerJoin(chats, eq(chats.id, outbox.chatId))
    .where(and(isNull(outbox.deliveredAt), eq(chats.channelKey, deps.channelKey)))
    .orderBy(asc(outbox.createdAt))
    .limit(batch);
  let delivered = 0;
  for (const notice of pending) {
    try {
      await deps.notifyTeam(notice);
      deps.reach("K10");
      await mark(deps, notice.id, { deliveredAt: deps.clock.now() });
      delivered += 1;
    } catch (error) {
      deps.report("outbox", error);
      await mark(deps, notice.id, {});
    }
  }
  return delivered;
}

async function mark(deps: OutboxDeps, id: string, change: { deliveredAt?: Date }): Promise<void> {
  await deps.database.sql
    .update(outbox)
    .set({ ...change, attempts: sql`${outbox.attempts} + 1` })
    .where(eq(outbox.id, id));
}
