/**
 * Delivers the outbox: notices that a transaction wrote together with the change they report. Delivery is at
 * least once: after a crash a notice is sent again with the same ID.
 */
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { noticeBackoff } from "../channel-limits.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { chats, outbox } from "../db/schema.ts";
import type { ReachKillPoint } from "../kill-points.ts";
import type { ReportError } from "../report-error.ts";

export interface TeamNotice {
  /** The same ID for every delivery of the notice. */
  id: string;
  kind: string;
  chatId: string;
  payload: unknown;
  createdAt: Date;
}

/** Delivers a notice. If it rejects, the notice stays due and is retried after a pause. */
export type NotifyTeam = (notice: TeamNotice) => Promise<void>;

export interface OutboxDeps {
  database: Database;
  channelKey: string;
  clock: Clock;
  notifyTeam: NotifyTeam;
  reach: ReachKillPoint;
  report: ReportError;
}

const batch = 50;

/** Delivers due notices, oldest first. Returns how many were delivered. */
export async function deliverOutbox(deps: OutboxDeps): Promise<number> {
  const { sql: db } = deps.database;
  const pending = await db
    .select({
      id: outbox.id,
      kind: outbox.kind,
      chatId: outbox.chatId,
      payload: outbox.payload,
      createdAt: outbox.createdAt,
    })
    .from(outbox)
    .innerJoin(chats, eq(chats.id, outbox.chatId))
    .where(and(isNull(outbox.deliveredAt), eq(chats.channelKey, deps.channelKey), isDue(deps.clock.now())))
    .orderBy(asc(outbox.createdAt))
    .limit(batch);
  let delivered = 0;
  for (const notice of pending) {
    try {
      await deps.notifyTeam(notice);
      deps.reach("around-handoff");
      await mark(deps, notice.id, { deliveredAt: deps.clock.now() });
      delivered += 1;
    } catch (error) {
      deps.report("outbox", error);
      await mark(deps, notice.id, {});
    }
  }
  return delivered;
}

/**
 * The condition that a notice is due. The backoff needs no column of its own: after `attempts` failures, a
 * notice is due 1 + 2 + 4 + … seconds after it was written. One that was written in the future is due at
 * once: the clock has been set back.
 */
function isDue(now: Date): SQL {
  const { first, doublings } = noticeBackoff;
  const longest = 2 ** doublings;
  const waited = sql`(power(2, least(${outbox.attempts}, ${doublings})) - 1 + greatest(${outbox.attempts} - ${doublings}, 0) * ${longest}) * ${first}`;
  const time = sql`${now.toISOString()}::timestamptz`;
  return sql`(${outbox.createdAt} + ${waited} * interval '1 millisecond' <= ${time} or ${outbox.createdAt} > ${time})`;
}

async function mark(deps: OutboxDeps, id: string, change: { deliveredAt?: Date }): Promise<void> {
  await deps.database.sql
    .update(outbox)
    .set({ ...change, attempts: sql`${outbox.attempts} + 1` })
    .where(eq(outbox.id, id));
}
