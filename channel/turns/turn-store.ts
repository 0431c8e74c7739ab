/**
 * The turns' transitions. Each is one statement that says in its own words under which condition it holds, and writes
 * nothing otherwise:
 *
 *   claim ──▶ running ──finish──▶ succeeded
 *               │  ▲ └─supersede──▶ superseded      (the team took the chat over: `team`)
 *               │  └─reclaim (fence + 1)
 *               └─give up──▶ interrupted            (three attempts failed)
 *
 * Statements lock the chat before the operation, always in this order.
 */
import { and, eq, sql } from "drizzle-orm";
import type { ChatRow } from "../chats/chat-row.ts";
import type { Database, Sql } from "../db/database.ts";
import { chats, messages, operations, turnDeltas } from "../db/schema.ts";
import type { OperationRow, WriteRequest } from "../idempotency/ledger.ts";
import { newId } from "../ids.ts";
import { turnLimits } from "../limits.ts";
import type { MessageRow, NewMessageRow } from "../messages/message-row.ts";

/** An attempt at a turn: only the one with the row's fence may write. */
export interface Attempt {
  operationId: string;
  fence: number;
}

const leaseEnd = sql`clock_timestamp() + ${turnLimits.lease} * interval '1 millisecond'`;

function time(moment: Date) {
  return sql`${moment.toISOString()}::timestamptz`;
}

function runningTurns(channelKey: string) {
  return sql`(select count(*) from operations where channel_key = ${channelKey} and state = 'running')`;
}

export async function countRunningTurns(tx: Sql, channelKey: string): Promise<number> {
  const rows = await tx.execute<{ running: number }>(
    sql`select ${runningTurns(channelKey)}::integer as running`,
  );
  return rows.rows[0]?.running ?? 0;
}

export interface MessageClaim {
  request: WriteRequest;
  operationId: string;
  /** The chat as it was read: the claim fails if it has changed since. */
  chat: ChatRow;
  message: NewMessageRow;
  fileIds: readonly string[];
  owner: number;
  /** How many turns may run in the channel, this one included. */
  concurrentTurns: number;
  now: Date;
  /** Reserved for the agent's reply; null when nobody answers at once: then the operation is done with this result. */
  replyId: string | null;
  result: unknown;
}

/**
 * Stores a customer's message and begins its operation, if the chat is still as it was read, its files are there and
 * the key is new. False: look again.
 */
export async function claimMessage(tx: Sql, claim: MessageClaim): Promise<boolean> {
  const { request, chat, message, operationId, now } = claim;
  const runs = claim.replyId !== null;
  const claimed = await tx.execute<{ id: string }>(sql`
    with files_to_send as (
      select id from files
      where chat_id = ${chat.id} and id = any(${sql.param(`{${claim.fileIds.join(",")}}`)}::text[])
        and (expires_at is null or expires_at > ${time(now)})
      for update
    ), guard as (
      select id from chats
      where id = ${chat.id} and updated_at = ${time(chat.updatedAt)} and active_operation_id is null
        and (select count(*) from files_to_send) = ${claim.fileIds.length}
        and ${runs ? sql`${runningTurns(request.channelKey)} < ${claim.concurrentTurns}` : sql`true`}
      for update
    ), operation as (
      insert into operations (id, channel_key, key, kind, chat_id, fingerprint, state, owner, lease_until,
        message_id, reply_id, result, created_at, finished_at)
      select ${operationId}, ${request.channelKey}, ${request.key}, ${request.kind}, ${chat.id},
        ${request.fingerprint}, ${runs ? "running" : "succeeded"}, ${runs ? claim.owner : null}::integer,
        ${runs ? leaseEnd : sql`null::timestamptz`}, ${message.id}, ${claim.replyId}, ${
          runs ? null : JSON.stringify(claim.result)
        }, ${time(now)}, ${runs ? sql`null::timestamptz` : time(now)}
      from guard
      on conflict do nothing
      returning id
    ), stored_message as (
      insert into messages (id, chat_id, sequence, role, text, created_at, attachments)
      select ${message.id}, ${chat.id}, ${message.sequence}::integer, ${message.role}, ${message.text},
        ${time(message.createdAt)}, ${JSON.stringify(message.attachments)}
      from operation
    ), sent_files as (
      update files set expires_at = null from operation, files_to_send where files.id = files_to_send.id
    )
    update chats set
      active_operation_id = ${runs ? operationId : null}, last_sequence = ${message.sequence}::integer,
      operation_count = operation_count + 1, updated_at = ${time(message.createdAt)}
    from operation where chats.id = ${chat.id}
    returning chats.id`);
  return claimed.rows.length === 1;
}

/**
 * Begins the turn in which the agent goes on from a form that was closed, in a chat that the transaction has locked.
 * The caller notes it on the chat's row (`activeOperationId`) and runs it after the commit.
 */
export async function beginFollowUp(
  tx: Sql,
  followUp: {
    /** The submission that closed the form. */
    afterOperationId: string;
    chat: ChatRow;
    trigger: NonNullable<OperationRow["trigger"]>;
    owner: number;
    now: Date;
  },
): Promise<Attempt> {
  const { afterOperationId, chat, trigger, owner, now } = followUp;
  const attempt = { operationId: newId("op"), fence: 1 };
  await tx.insert(operations).values({
    id: attempt.operationId,
    channelKey: chat.channelKey,
    // No caller can send a key with a slash in it.
    key: `after/${afterOperationId}`,
    kind: "followUp",
    chatId: chat.id,
    fingerprint: "",
    state: "running",
    fence: attempt.fence,
    owner,
    leaseUntil: leaseEnd,
    replyId: newId("msg"),
    trigger,
    createdAt: now,
  });
  return attempt;
}

export interface Finish extends Attempt {
  /** The chat as it was read: nothing is written if it has changed since. */
  chat: ChatRow;
  reply: NewMessageRow;
  result: unknown;
  now: Date;
  latestOfferId: string | undefined;
}

/** Stores the reply and ends the operation. False: the attempt is not the row's any more, or the chat has changed. */
export async function finishTurn(tx: Sql, finish: Finish): Promise<boolean> {
  const { chat, reply, now } = finish;
  const finished = await tx.execute<{ id: string }>(sql`
    with guard as (
      select id from chats where id = ${chat.id} and updated_at = ${time(chat.updatedAt)} for update
    ), operation as (
      update operations set state = 'succeeded', result = ${JSON.stringify(finish.result)},
        finished_at = ${time(now)}, owner = null, lease_until = null
      from guard
      where operations.id = ${finish.operationId} and fence = ${finish.fence} and state = 'running'
      returning operations.id
    ), stored_reply as (
      insert into messages (id, chat_id, sequence, role, text, created_at, attachments, reply_of_operation_id)
      select ${reply.id}, ${chat.id}, ${reply.sequence}::integer, ${reply.role}, ${reply.text},
        ${time(reply.createdAt)}, ${JSON.stringify(reply.attachments)}, operation.id
      from operation
    ), forgotten_deltas as (
      delete from turn_deltas using operation where turn_deltas.operation_id = operation.id
    )
    update chats set
      active_operation_id = null, last_sequence = ${reply.sequence}::integer, updated_at = ${time(reply.createdAt)},
      latest_offer_id = coalesce(${finish.latestOfferId ?? null}, latest_offer_id)
    from operation where chats.id = ${chat.id}
    returning chats.id`);
  return finished.rows.length === 1;
}

/** Keeps a running attempt's lease. False: it is not the row's any more. */
export async function renewLease(tx: Sql, attempt: Attempt): Promise<boolean> {
  const renewed = await tx
    .update(operations)
    .set({ leaseUntil: leaseEnd })
    .where(isRunning(attempt))
    .returning({ id: operations.id });
  return renewed.length === 1;
}

/** Writes down what was streamed, for other processes. False: the attempt is not the row's any more. */
export async function appendDelta(
  tx: Sql,
  attempt: Attempt,
  sequence: number,
  text: string,
): Promise<boolean> {
  const appended = await tx.execute<{ sequence: number }>(sql`
    insert into turn_deltas (operation_id, fence, sequence, text)
    select id, fence, ${sequence}::integer, ${text} from operations
    where id = ${attempt.operationId} and fence = ${attempt.fence} and state = 'running'
    returning sequence`);
  return appended.rows.length === 1;
}

/**
 * Takes over an attempt that failed or whose process is gone. The next attempt, or undefined: somebody else has it.
 * `countsAsAttempt` is false for an attempt that an orderly stop cut short.
 */
export async function nextAttempt(tx: Sql, failed: Attempt, owner: number): Promise<Attempt | undefined> {
  const [taken] = await tx
    .update(operations)
    .set({
      fence: sql`${operations.fence} + 1`,
      attempts: sql`${operations.attempts} + 1`,
      owner,
      leaseUntil: leaseEnd,
    })
    .where(isRunning(failed))
    .returning({ operationId: operations.id, fence: operations.fence });
  if (taken !== undefined) await tx.delete(turnDeltas).where(eq(turnDeltas.operationId, failed.operationId));
  return taken;
}

/** Gives the turn back without counting the attempt: the next process to look for orphans goes on with it. */
export async function releaseLease(tx: Sql, attempt: Attempt): Promise<void> {
  await tx
    .update(operations)
    .set({ leaseUntil: sql`clock_timestamp()`, owner: null, attempts: sql`${operations.attempts} - 1` })
    .where(isRunning(attempt));
}

/** Ends a turn that will have no reply. The customer's message stays. False: it was not the row's attempt. */
export async function interruptTurn(tx: Sql, attempt: Attempt, chatId: string, now: Date): Promise<boolean> {
  const ended = await tx.execute<{ id: string }>(sql`
    with guard as (select id from chats where id = ${chatId} for update),
    operation as (
      update operations set state = 'interrupted', finished_at = ${time(now)}, owner = null, lease_until = null
      from guard
      where operations.id = ${attempt.operationId} and fence = ${attempt.fence} and state = 'running'
      returning operations.id
    ), forgotten_deltas as (
      delete from turn_deltas using operation where turn_deltas.operation_id = operation.id
    )
    update chats set active_operation_id = null from operation
    where chats.id = ${chatId} and chats.active_operation_id = operation.id
    returning operation.id`);
  return ended.rows.length === 1;
}

/**
 * Ends the turn that runs in a chat which the transaction has locked, because the chat went to somebody else. The
 * caller changes the chat's row (`activeOperationId: null`) and tells the engine afterwards.
 */
export async function supersedeTurn(tx: Sql, chat: ChatRow, now: Date): Promise<void> {
  if (chat.activeOperationId === null) return;
  await tx
    .update(operations)
    .set({ state: "superseded", finishedAt: now, owner: null, leaseUntil: null })
    .where(and(eq(operations.id, chat.activeOperationId), eq(operations.state, "running")));
  await tx.delete(turnDeltas).where(eq(turnDeltas.operationId, chat.activeOperationId));
}

/** Turns that nobody runs: released, silent for longer than their lease, or of a process that is gone. Oldest first. */
export async function findOrphans(
  database: Database,
  channelKey: string,
  aliveOwners: readonly number[],
  limit: number,
): Promise<OperationRow[]> {
  return database.sql
    .select()
    .from(operations)
    .where(
      and(
        eq(operations.channelKey, channelKey),
        eq(operations.state, "running"),
        sql`(${operations.leaseUntil} <= clock_timestamp() or ${operations.owner} is null
          or ${operations.owner} not in ${[...aliveOwners]})`,
      ),
    )
    .orderBy(operations.createdAt)
    .limit(limit);
}

export async function readOperation(tx: Sql, operationId: string): Promise<OperationRow | undefined> {
  const [row] = await tx.select().from(operations).where(eq(operations.id, operationId));
  return row;
}

/** The operation with what was streamed of it beyond the position, in its latest attempt. */
export async function readTurn(
  tx: Sql,
  operationId: string,
  afterSequence: number,
): Promise<{ operation: OperationRow; deltas: { sequence: number; text: string }[] } | undefined> {
  const rows = await tx
    .select({ operation: operations, delta: { sequence: turnDeltas.sequence, text: turnDeltas.text } })
    .from(operations)
    .leftJoin(
      turnDeltas,
      and(
        eq(turnDeltas.operationId, operations.id),
        eq(turnDeltas.fence, operations.fence),
        sql`${turnDeltas.sequence} > ${afterSequence}`,
      ),
    )
    .where(eq(operations.id, operationId))
    .orderBy(turnDeltas.sequence);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    operation: first.operation,
    deltas: rows.flatMap((row) => (row.delta === null ? [] : [row.delta])),
  };
}

export interface LoadedTurn {
  operation: OperationRow;
  chat: ChatRow;
  /** Null for a turn that answers a form. */
  message: MessageRow | null;
}

/** What an attempt needs to know of its turn. Undefined: the attempt is not the row's any more. */
export async function loadTurn(tx: Sql, attempt: Attempt): Promise<LoadedTurn | undefined> {
  const [row] = await tx
    .select({ operation: operations, chat: chats, message: messages })
    .from(operations)
    .innerJoin(chats, eq(chats.id, operations.chatId))
    .leftJoin(messages, eq(messages.id, operations.messageId))
    .where(isRunning(attempt));
  return row;
}

function isRunning(attempt: Attempt) {
  return and(
    eq(operations.id, attempt.operationId),
    eq(operations.fence, attempt.fence),
    eq(operations.state, "running"),
  );
}
