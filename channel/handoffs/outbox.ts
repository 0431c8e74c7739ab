/**
 * Delivers the outbox: notices that a transaction wrote together with the change they report. One process
 * claims a notice and delivers it. Delivery is at least once: after a crash another one delivers it again,
 * under the same ID, when the claim's lease ends.
 */

import { writeSync } from "node:fs";
import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { noticeBackoff, waits } from "../channel-limits.ts";
import type { Core } from "../core.ts";
import { sqlTime } from "../db/database.ts";
import { chats, outbox } from "../db/schema.ts";

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

export interface OutboxDeps extends Core {
  notifyTeam: NotifyTeam;
}

const batch = 50;

/** Delivers due notices side by side, so that a slow one delays no other. Returns how many it delivered. */
export async function deliverOutbox(deps: OutboxDeps): Promise<number> {
  const claimed = await claimDue(deps);
  const delivered = await Promise.all(claimed.map((notice) => deliver(deps, notice)));
  return delivered.filter(Boolean).length;
}

async function claimDue({ database, channelKey, clock }: OutboxDeps): Promise<TeamNotice[]> {
  const { id, kind, chatId, payload, createdAt } = outbox;
  const isFree = sql`(${outbox.leaseUntil} is null or ${outbox.leaseUntil} < clock_timestamp())`;
  const due = database.sql
    .select({ id })
    .from(outbox)
    .innerJoin(chats, eq(chats.id, chatId))
    .where(and(eq(chats.channelKey, channelKey), isDue(clock.now()), isFree))
    .orderBy(asc(createdAt))
    .limit(batch)
    .for("update", { of: outbox, skipLocked: true });
  return database.sql
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      leaseUntil: sql`clock_timestamp() + ${waits.noticeLease} * interval '1 millisecond'`,
    })
    .where(inArray(id, due))
    .returning({ id, kind, chatId, payload, createdAt });
}

async function deliver(
  { database, notifyTeam, reach, report }: OutboxDeps,
  notice: TeamNotice,
): Promise<boolean> {
  const isOfNotice = eq(outbox.id, notice.id);
  try {
    await notifyTeam(notice);
  } catch (error) {
    report("outbox", error);
    await database.sql.update(outbox).set({ leaseUntil: null }).where(isOfNotice);
    return false;
  }
  reach("around-handoff");
  await database.sql.delete(outbox).where(isOfNotice);
  return true;
}

/**
 * The condition that a notice is due. The backoff needs no column: after `attempts` failures, a notice is due
 * 1 + 2 + 4 + … seconds after it was written. One that was written in the future is due at once: the clock
 * has been set back.
 */
function isDue(now: Date): SQL {
  const { first, doublings } = noticeBackoff;
  const longest = 2 ** doublings;
  const waited = sql`(power(2, least(${outbox.attempts}, ${doublings})) - 1 + greatest(${outbox.attempts} - ${doublings}, 0) * ${longest}) * ${first}`;
  const time = sqlTime(now);
  return sql`(${outbox.createdAt} + ${waited} * interval '1 millisecond' <= ${time} or ${outbox.createdAt} > ${time})`;
}

/**
 * Writes one JSON line per notice, whatever `LOG_LEVEL` says. Bypasses the logger: a line in its buffer would
 * count as delivered even if a full or closed pipe never took it. A pipe takes a line this short whole, or
 * throws.
 */
export const printNotice: NotifyTeam = async ({ id, kind, chatId }) => {
  const line = { level: 30, time: new Date().toISOString(), notice: id, kind, chatId, msg: "team" };
  writeSync(process.stdout.fd, `${JSON.stringify(line)}\n`);
};

export interface NoticeReceiver {
  url: string;
  /** `whsec_` and the key in base64. */
  secret: string;
}

/**
 * Posts the notice as a Standard Webhook (github.com/standard-webhooks/standard-webhooks): the receiver
 * checks `webhook-signature` and drops duplicates by `webhook-id`.
 */
export function postNotice({ url, secret }: NoticeReceiver): NotifyTeam {
  const webhook = new Webhook(secret);
  return async ({ id, kind, payload, createdAt }) => {
    const body = JSON.stringify({ type: kind, timestamp: createdAt.toISOString(), data: payload });
    const sentAt = new Date();
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
        "webhook-signature": webhook.sign(id, sentAt, body),
      },
      body,
      // A redirect could send a customer's email address to another host.
      redirect: "manual",
      signal: AbortSignal.timeout(waits.notice),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The receiver of notices answered ${response.status}.`);
  };
}
