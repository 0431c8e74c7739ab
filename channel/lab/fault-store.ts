/** Stores the lab's faults. Each is a rule with a number of remaining occurrences. */
import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { OperationName } from "#lib/chat-api/operations.ts";
import type { Sql } from "../db/database.ts";
import { labFaults } from "../db/schema.ts";
import type { FaultBody } from "./lab-requests.ts";

export type Fault = typeof labFaults.$inferSelect;

/** By default an error or delay precedes the operation; a drop or stall affects its response. */
const defaultAt = { error: "request", delay: "request", drop: "response", stall: "response" } as const;

export async function addFault(db: Sql, channelKey: string, body: FaultBody): Promise<Fault> {
  const { times, ...rule } = body;
  const at = body.at ?? (body.afterDeltas === undefined ? defaultAt[body.fault] : "response");
  const [added] = await db
    .insert(labFaults)
    .values({ ...rule, at, channelKey, remaining: times })
    .returning();
  if (added === undefined) throw new Error("The fault was not stored.");
  return added;
}

/** Faults still to happen, oldest first. */
export async function listFaults(db: Sql, channelKey: string): Promise<Fault[]> {
  return db
    .select()
    .from(labFaults)
    .where(and(eq(labFaults.channelKey, channelKey), gt(labFaults.remaining, 0)))
    .orderBy(asc(labFaults.id));
}

export async function clearFaults(db: Sql, channelKey: string): Promise<void> {
  await db.delete(labFaults).where(eq(labFaults.channelKey, channelKey));
}

/** Takes the oldest fault that matches this operation, which counts as one occurrence. */
export async function takeFault(
  db: Sql,
  channelKey: string,
  operation: OperationName,
  chatId: string,
): Promise<Fault | undefined> {
  const next = sql`(select next.id from lab_faults next
    where next.channel_key = ${channelKey} and next.operation = ${operation} and next.remaining > 0
      and (next.chat_id is null or next.chat_id = ${chatId})
    order by next.id limit 1 for update)`;
  const [taken] = await db
    .update(labFaults)
    .set({ remaining: sql`${labFaults.remaining} - 1` })
    .where(eq(labFaults.id, next))
    .returning();
  return taken;
}
