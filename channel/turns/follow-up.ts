/** The turn after a form: the channel starts it by itself when a submission was saved, skipped or cancelled. */
import { sql } from "drizzle-orm";
import type { ChatRow } from "../chats/chat-row.ts";
import { changeChat } from "../chats/chat-store.ts";
import type { Database, Sql } from "../db/database.ts";
import { operations } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { turnLimits } from "../limits.ts";
import type { Attempt } from "./turn-store.ts";

export interface FollowUp {
  /** The submission, which has one follow-up at most. */
  submissionId: string;
  collectionId: string;
  action: "save" | "skip" | "cancel";
}

/**
 * Begins the turn in the transaction that stores the submission, which has locked the chat: a crash after its commit
 * leaves a turn that the next start finds. The caller runs it after the commit (`engine.run`).
 */
export async function beginFollowUp(
  database: Database,
  tx: Sql,
  chat: ChatRow,
  followUp: FollowUp,
  now: Date,
): Promise<{ attempt: Attempt; chat: ChatRow }> {
  const { submissionId, ...trigger } = followUp;
  const operationId = newId("op");
  await tx.insert(operations).values({
    id: operationId,
    channelKey: chat.channelKey,
    // No caller's key has this form.
    key: `#follow-up/${submissionId}`,
    kind: "followUp",
    chatId: chat.id,
    fingerprint: "",
    state: "running",
    owner: database.owner,
    leaseUntil: sql`clock_timestamp() + ${turnLimits.lease} * interval '1 millisecond'`,
    replyId: newId("msg"),
    trigger,
    createdAt: now,
  });
  const running = await changeChat(tx, chat, { activeOperationId: operationId }, now);
  return { attempt: { operationId, fence: 1 }, chat: running };
}
