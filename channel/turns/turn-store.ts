/**
 * The state transitions of turns. Each is one statement that includes its precondition and writes nothing if
 * the precondition fails:
 *
 *   claim ──▶ running ──finish──▶ succeeded
 *               │  ▲ └─supersede──▶ superseded      (the team took the chat over)
 *               │  └─reclaim (fence + 1)
 *               └─give up──▶ interrupted            (three attempts failed)
 *
 * Statements that lock both the chat and the operation lock the chat first. Only `beginFollowUp` and
 * `supersedeTurn` rely on a chat that their transaction has locked.
 */
import { and, eq, sql } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { MessageTurn } from "#lib/chat-api/message.ts";
import { turnLimits } from "../channel-limits.ts";
import { type ChatRow, chatCount } from "../chats/chat-store.ts";
import { type Database, prepareOnce, type Sql, sqlTime } from "../db/database.ts";
import {
  type CollectionState,
  chats,
  collections,
  messages,
  operations,
  type StoredOffer,
} from "../db/schema.ts";
import { type OperationRow, runningTurns, storedRefusal, type WriteRequest } from "../idempotency/ledger.ts";
import { newId } from "../ids.ts";
import type { MessageRow, NewMessageRow } from "../messages/message-store.ts";

/** An attempt at a turn. Only the attempt with the row's current fence may write. */
export interface Attempt {
  operationId: string;
  fence: number;
}

const leaseEnd = sql`clock_timestamp() + ${turnLimits.lease} * interval '1 millisecond'`;

const sendLookUp = prepareOnce((tx) => {
  const [channelKey, chatId] = [sql.placeholder("channelKey"), sql.placeholder("chatId")];
  return tx
    .select({
      chat: chats,
      collection: collections.state,
      operation: operations,
      chatCount: chatCount(channelKey),
      running: sql<number>`${runningTurns(channelKey)}::integer`,
    })
    .from(chats)
    .leftJoin(collections, eq(collections.chatId, chats.id))
    .leftJoin(
      operations,
      and(eq(operations.channelKey, channelKey), eq(operations.key, sql.placeholder("key"))),
    )
    .where(and(eq(chats.id, chatId), eq(chats.channelKey, channelKey)))
    .prepare("send_look_up");
});

/**
 * The rows that a send depends on, except its files, read in one statement: the chat, its collection, the
 * key's earlier operation, and the numbers of chats and running turns. The claim then fails if the chat has
 * changed since. Undefined when there is no such chat.
 */
export async function lookUpSend(tx: Sql, { channelKey, chatId, key }: WriteRequest) {
  const [state] = await sendLookUp(tx).execute({ channelKey, chatId, key });
  return state;
}

export interface MessageClaim {
  request: WriteRequest;
  operationId: string;
  /** The chat as read before: the claim fails if it has changed since. */
  chat: ChatRow;
  message: NewMessageRow;
  fileIds: readonly string[];
  owner: number;
  /** How many turns may run in the channel, including this one. */
  concurrentTurns: number;
  now: Date;
  /** Reserved for the agent's reply. Null when nobody answers at once: then `result` ends the operation. */
  replyId: string | null;
  result: unknown;
}

/**
 * Stores the message and starts its operation, provided that the chat is unchanged and has no running turn,
 * the files exist, the key is new and the limits allow it. False if one of these does not hold: the caller
 * must read again.
 */
export async function claimMessage(tx: Sql, claim: MessageClaim): Promise<boolean> {
  const { request, chat, message, now } = claim;
  const runs = claim.replyId !== null;
  const result = runs ? null : JSON.stringify(claim.result);
  const fileIds = `{${claim.fileIds.join(",")}}`;
  const attachments = JSON.stringify(message.attachments);
  const { rows } = await tx.execute(sql`
    with files_to_send as (
      select id from files
      where chat_id = ${chat.id} and id = any(${fileIds}::text[])
        and (expires_at is null or expires_at > ${sqlTime(now)})
      for update
    ), guard as (
      select id from chats
      where id = ${chat.id} and updated_at = ${sqlTime(chat.updatedAt)}
        and active_operation_id is null
        and (select count(*) from files_to_send) = cardinality(${fileIds}::text[])
        and (not ${runs}::boolean
          or ${runningTurns(request.channelKey)} < ${claim.concurrentTurns}::integer)
      for update
    ), operation as (
      insert into operations (id, channel_key, key, kind, chat_id, fingerprint, state, owner, lease_until,
        message_id, reply_id, result, created_at, finished_at)
      select ${claim.operationId}, ${request.channelKey}, ${request.key}, ${request.kind}, id,
        ${request.fingerprint}, case when ${runs}::boolean then 'running' else 'succeeded' end,
        case when ${runs}::boolean then ${claim.owner}::integer end,
        case when ${runs}::boolean then ${leaseEnd} end, ${message.id}, ${claim.replyId},
        ${result}, ${sqlTime(now)},
        case when not ${runs}::boolean then ${sqlTime(now)} end
      from guard
      on conflict do nothing
      returning id
    ), stored_message as (
      insert into messages (id, chat_id, sequence, role, text, created_at, attachments)
      select ${message.id}, ${chat.id}, ${message.sequence}::integer, ${message.role},
        ${message.text}, ${sqlTime(message.createdAt)}, ${attachments}
      from operation
    ), sent_files as (
      update files set expires_at = null from operation, files_to_send where files.id = files_to_send.id
    )
    update chats set
      active_operation_id = case when ${runs}::boolean then operation.id end,
      last_sequence = ${message.sequence}::integer, operation_count = operation_count + 1,
      updated_at = ${sqlTime(message.createdAt)}
    from operation where chats.id = ${chat.id}
    returning chats.id`);
  return rows.length === 1;
}

/**
 * Starts the follow-up turn of a closed form, in a chat that the transaction has locked. The caller sets
 * `activeOperationId` and runs the turn after the commit.
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
    // No caller can send a key that contains a slash.
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
  /** The chat as read before: nothing is written if it has changed since. */
  chat: ChatRow;
  reply: NewMessageRow;
  result: unknown;
  now: Date;
  offer: StoredOffer | undefined;
}

/**
 * Stores the reply and ends the operation. False if the attempt has lost the turn or the chat has changed.
 */
export async function finishTurn(tx: Sql, finish: Finish): Promise<boolean> {
  const { chat, reply } = finish;
  const offer = finish.offer === undefined ? null : JSON.stringify(finish.offer);
  const { rows } = await tx.execute(sql`
    with guard as (
      select id from chats
      where id = ${chat.id} and updated_at = ${sqlTime(chat.updatedAt)}
      for update
    ), operation as (
      update operations set state = 'succeeded', result = ${JSON.stringify(finish.result)},
        finished_at = ${sqlTime(finish.now)}, owner = null, lease_until = null, streamed_text = null
      from guard
      where operations.id = ${finish.operationId} and fence = ${finish.fence}::integer and state = 'running'
      returning operations.id
    ), stored_reply as (
      insert into messages (id, chat_id, sequence, role, text, created_at, attachments, reply_of_operation_id)
      select ${reply.id}, ${chat.id}, ${reply.sequence}::integer, ${reply.role},
        ${reply.text}, ${sqlTime(reply.createdAt)}, ${JSON.stringify(reply.attachments)}, operation.id
      from operation
    )
    update chats set
      active_operation_id = null, last_sequence = ${reply.sequence}::integer,
      updated_at = ${sqlTime(reply.createdAt)},
      latest_offer = coalesce(${offer}, latest_offer)
    from operation where chats.id = ${chat.id}
    returning chats.id`);
  return rows.length === 1;
}

/** Renews a running attempt's lease. False if the attempt has lost the turn. */
export async function renewLease(tx: Sql, attempt: Attempt): Promise<boolean> {
  const renewed = await tx
    .update(operations)
    .set({ leaseUntil: leaseEnd })
    .where(isRunning(attempt))
    .returning({ id: operations.id });
  return renewed.length === 1;
}

/** Stores the attempt's text so far, for other processes. False if the attempt has lost the turn. */
export async function storeText(tx: Sql, attempt: Attempt, streamedText: string): Promise<boolean> {
  const stored = await tx
    .update(operations)
    .set({ streamedText })
    .where(isRunning(attempt))
    .returning({ id: operations.id });
  return stored.length === 1;
}

/** Takes over an attempt that failed or whose process is gone. Undefined if another process has done so. */
export async function nextAttempt(tx: Sql, failed: Attempt, owner: number): Promise<Attempt | undefined> {
  const [taken] = await tx
    .update(operations)
    .set({
      fence: sql`${operations.fence} + 1`,
      attempts: sql`${operations.attempts} + 1`,
      owner,
      leaseUntil: leaseEnd,
      streamedText: null,
    })
    .where(isRunning(failed))
    .returning({ operationId: operations.id, fence: operations.fence });
  return taken;
}

/** Releases the turn without counting the attempt: the next recovery resumes it. */
export async function releaseLease(tx: Sql, attempt: Attempt): Promise<void> {
  await tx
    .update(operations)
    .set({ leaseUntil: sql`clock_timestamp()`, owner: null, attempts: sql`${operations.attempts} - 1` })
    .where(isRunning(attempt));
}

/** Ends a turn without a reply. The customer's message stays. False if the attempt has lost the turn. */
export async function interruptTurn(tx: Sql, attempt: Attempt, chatId: string, now: Date): Promise<boolean> {
  const ended = await tx.execute<{ id: string }>(sql`
    with guard as (select id from chats where id = ${chatId} for update),
    operation as (
      update operations set state = 'interrupted', finished_at = ${sqlTime(now)}, owner = null, lease_until = null,
        streamed_text = null
      from guard
      where operations.id = ${attempt.operationId} and fence = ${attempt.fence} and state = 'running'
      returning operations.id
    )
    update chats set active_operation_id = null from operation
    where chats.id = ${chatId} and chats.active_operation_id = operation.id
    returning operation.id`);
  return ended.rows.length === 1;
}

/**
 * Ends the running turn of a locked chat because the team took the chat over. The caller clears
 * `activeOperationId` and then notifies the engine.
 */
export async function supersedeTurn(tx: Sql, chat: ChatRow, now: Date): Promise<void> {
  if (chat.activeOperationId === null) return;
  await tx
    .update(operations)
    .set({ state: "superseded", finishedAt: now, owner: null, leaseUntil: null, streamedText: null })
    .where(and(eq(operations.id, chat.activeOperationId), eq(operations.state, "running")));
}

/** Orphaned turns, oldest first: released, with an expired lease, or of a process that is gone. */
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

/** The input of an attempt. */
export interface LoadedTurn {
  operation: Pick<OperationRow, "id" | "replyId" | "trigger" | "createdAt">;
  chat: ChatRow;
  /** Null: nothing was collected. */
  collection: CollectionState | null;
  /** The customer's message; null for a turn that answers a form. */
  message: MessageRow | null;
}

/** Reads the input of an attempt. Undefined if the attempt has lost the turn. */
export async function loadTurn(tx: Sql, attempt: Attempt): Promise<LoadedTurn | undefined> {
  const [row] = await tx
    .select({ operation: operations, chat: chats, collection: collections.state, message: messages })
    .from(operations)
    .innerJoin(chats, eq(chats.id, operations.chatId))
    .leftJoin(collections, eq(collections.chatId, chats.id))
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

/** `turn` is null for a turn that answers a form, because no response contains it. */
export type TurnOutcome =
  | { state: "succeeded"; turn: MessageTurn | null }
  | { state: "failed"; error: ChatApiError };

/** The outcome; undefined while the turn runs. A missing row was deleted together with its chat. */
export function outcomeOf(operation: OperationRow | undefined): TurnOutcome | undefined {
  if (operation === undefined) return { state: "failed", error: new ChatApiError("chat_not_found") };
  if (operation.state === "running") return undefined;
  const refusal = storedRefusal(operation);
  if (refusal !== undefined) return { state: "failed", error: refusal };
  // Written by `claimMessage` or `finishReply`, from a MessageTurn.
  return { state: "succeeded", turn: operation.result as MessageTurn | null };
}
