/** Waits for a state of a chat, so that tests need not sleep. */
import { setTimeout as pause } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { type ChatRef, type ChatRow, requireChat } from "../chats/chat-store.ts";
import type { Sql } from "../db/database.ts";
import { messages } from "../db/schema.ts";
import type { WaitQuery } from "./lab-requests.ts";

/** Milliseconds between two looks at the chat. */
const lookInterval = 20;

const isReached = {
  turn_done: (chat: ChatRow) => chat.activeOperationId === null,
  waiting: (chat: ChatRow) => chat.mode === "waiting",
  claimed: (chat: ChatRow) => chat.mode === "teammate",
  resolved: (chat: ChatRow) => chat.mode === "resolved",
};

/**
 * Resolves with the chat once it is as awaited, or as it is when the time is up or the caller has gone.
 * `message` waits for one after the message `after`, by default after the call; `turn_done` with `after` for
 * a turn that follows this message, which may not have begun; `notice` for the team to have been told of the
 * chat.
 *
 * @throws ChatApiError `chat_not_found`
 */
export async function waitForChat(
  sql: Sql,
  ref: ChatRef,
  { until, after, timeout }: WaitQuery,
  isNoticed: () => boolean,
  signal: AbortSignal,
): Promise<{ chat: ChatRow; isReached: boolean }> {
  const deadline = performance.now() + timeout * 1000;
  let chat = await requireChat(sql, ref);
  const seen = after === undefined ? chat.lastSequence : await sequenceOf(sql, ref.chatId, after);
  const isAfter = (row: ChatRow) => row.lastSequence > seen;
  const holds = (row: ChatRow) => {
    if (until === "message") return isAfter(row);
    if (until === "notice") return isNoticed();
    return isReached[until](row) && (until !== "turn_done" || after === undefined || isAfter(row));
  };
  while (!holds(chat)) {
    if (performance.now() >= deadline || signal.aborted) return { chat, isReached: false };
    await pause(lookInterval);
    chat = await requireChat(sql, ref);
  }
  return { chat, isReached: true };
}

/** 0 for a message that is not in the chat: every message is after it. */
async function sequenceOf(sql: Sql, chatId: string, messageId: string): Promise<number> {
  const [row] = await sql
    .select({ sequence: messages.sequence })
    .from(messages)
    .where(and(eq(messages.chatId, chatId), eq(messages.id, messageId)));
  return row?.sequence ?? 0;
}
