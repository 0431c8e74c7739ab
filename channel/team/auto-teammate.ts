/**
 * An automatic teammate, so that one person alone can try a handoff from beginning to end. It claims waiting
 * chats, writes a few lines and answers a few messages. A teammate who acts takes the chat over.
 *
 * Its next step follows from the chat's rows and the channel's clock alone, and each line has an idempotency
 * key: a restart, a second process or a moved clock neither stops it nor makes it repeat a line.
 */
import { and, asc, eq, inArray, lte } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { addTime } from "../base/clock.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import type { Sql } from "../db/database.ts";
import { chats, handoffs, messages } from "../db/schema.ts";
import { messagesBefore } from "../messages/message-store.ts";
import { autoLines } from "./auto-lines.ts";
import { claimChat, type TeamDeps } from "./team-actions.ts";
import { keyedMessageId, postMessage } from "./team-messages.ts";

const second = 1_000;

const autoPace = {
  /** Time from the handoff request until the teammate joins: long enough to see the waiting state. */
  claim: 20 * second,
  greeting: 3 * second,
  secondLine: 6 * second,
  /** Time from the customer's latest message until its answer. */
  answer: 4 * second,
} as const;

const atOnce = 20;
const messagesLookedAt = 50;

export interface AutoTeammateDeps extends TeamDeps {
  channelKey: string;
  /** The shop's teammates: in each chat, the automatic one uses one of their names. */
  members: readonly string[];
}

/** Takes the steps that are due. Returns how many there were. */
export async function runAutoTeammate(deps: AutoTeammateDeps): Promise<number> {
  return (await claimDue(deps)) + (await postDueLine(deps));
}

async function claimDue(deps: AutoTeammateDeps): Promise<number> {
  const { database, clock, channelKey, members } = deps;
  const due = await database.sql
    .select({ id: chats.id, requestedAt: chats.handoffRequestedAt })
    .from(chats)
    .where(
      and(
        eq(chats.channelKey, channelKey),
        eq(chats.mode, "waiting"),
        lte(chats.handoffRequestedAt, addTime(clock.now(), -autoPace.claim)),
      ),
    )
    .orderBy(asc(chats.handoffRequestedAt))
    .limit(atOnce);
  for (const { id, requestedAt } of due) {
    const name = members[(requestedAt?.getTime() ?? 0) % Math.max(1, members.length)] ?? "Robin";
    await ignoringConflicts(() => claimChat(deps, { channelKey, chatId: id }, { name, isAutomatic: true }));
  }
  return due.length;
}

async function postDueLine(deps: AutoTeammateDeps): Promise<number> {
  const { database, clock, channelKey } = deps;
  const own = await database.sql
    .select({ chat: chats, handoffId: handoffs.id })
    .from(chats)
    .innerJoin(handoffs, and(eq(handoffs.chatId, chats.id), eq(handoffs.status, "claimed")))
    .where(and(eq(chats.channelKey, channelKey), eq(chats.mode, "teammate"), eq(handoffs.isAutomatic, true)))
    .orderBy(asc(chats.updatedAt))
    .limit(atOnce);
  let spoken = 0;
  for (const { chat, handoffId } of own) {
    const lines = autoLines(chat.locale, chat.teammateName ?? "");
    const keys = lines.map((_, index) => `auto ${handoffId} ${index}`);
    const next = await nextLine(database.sql, chat, keys);
    if (next === null || addTime(next.since, next.pause) > clock.now()) continue;
    const message = { text: lines[next.index] ?? "", key: keys[next.index], isAutomatic: true };
    await ignoringConflicts(() => postMessage(deps, { channelKey, chatId: chat.id }, message));
    spoken += 1;
  }
  return spoken;
}

/** The next line and when it is due; null while it is the customer's turn, and after the last line. */
async function nextLine(
  db: Sql,
  chat: ChatRow,
  keys: readonly string[],
): Promise<{ index: number; since: Date; pause: number } | null> {
  const ids = keys.map((key) => keyedMessageId(chat.id, key));
  const posted = await db.select().from(messages).where(inArray(messages.id, ids));
  const index = ids.findIndex((id) => posted.every((message) => message.id !== id));
  if (index === -1) return null;
  const latest = await messagesBefore(db, chat.id, chat.lastSequence + 1, messagesLookedAt);
  if (index === 0) {
    const joined = latest.findLast((message) => message.role === "system");
    return { index, since: joined?.createdAt ?? chat.updatedAt, pause: autoPace.greeting };
  }
  if (index === 1) {
    const greeting = posted.find((message) => message.id === ids[0]);
    return { index, since: greeting?.createdAt ?? chat.updatedAt, pause: autoPace.secondLine };
  }
  const last = latest.findLast((message) => message.role !== "system");
  if (last?.role !== "visitor") return null;
  return { index, since: last.createdAt ?? chat.updatedAt, pause: autoPace.answer };
}

/** Runs a step, but ignores that somebody has taken, closed or deleted the chat in the meantime. */
async function ignoringConflicts(step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof ChatApiError)) throw error;
  }
}
