/**
 * An automatic teammate, so that somebody alone sees the whole path from the agent to people and back. It claims chats
 * that wait, says a few lines and answers a few times; the first person who acts in the chat has it from then on.
 *
 * What it does next follows from the chat's rows and the channel's clock alone, and each line has a key: a restart, a
 * second process or a moved clock neither stop it nor make it say anything twice.
 */
import { and, asc, eq, inArray, lte } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import { after } from "../clock.ts";
import type { Sql } from "../db/database.ts";
import { chats, handoffs, messages } from "../db/schema.ts";
import { messagesBefore } from "../messages/message-store.ts";
import { autoLines } from "./auto-lines.ts";
import { claimChat, type TeamDeps } from "./team-actions.ts";
import { keyedMessageId, postMessage } from "./team-messages.ts";

const second = 1_000;

const autoPace = {
  /** From the customer's request until the teammate joins: long enough to see what waiting is like. */
  claim: 20 * second,
  greeting: 3 * second,
  secondLine: 6 * second,
  /** From the customer's latest message. */
  answer: 4 * second,
} as const;

const atOnce = 20;
const messagesLookedAt = 50;

export interface AutoTeammateDeps extends TeamDeps {
  channelKey: string;
  /** Names to go by. */
  members: readonly string[];
}

/** Takes every step that is due, one in each chat. How many. */
export async function runAutoTeammate(deps: AutoTeammateDeps): Promise<number> {
  return (await claimDue(deps)) + (await speakWhereDue(deps));
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
        lte(chats.handoffRequestedAt, after(clock.now(), -autoPace.claim)),
      ),
    )
    .orderBy(asc(chats.handoffRequestedAt))
    .limit(atOnce);
  for (const { id, requestedAt } of due) {
    const name = members[(requestedAt?.getTime() ?? 0) % Math.max(1, members.length)] ?? "Robin";
    await unlessSomebodyWasFaster(() =>
      claimChat(deps, { channelKey, chatId: id }, { name, isAutomatic: true }),
    );
  }
  return due.length;
}

async function speakWhereDue(deps: AutoTeammateDeps): Promise<number> {
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
    if (next === null || after(next.since, next.pause) > clock.now()) continue;
    const message = { text: lines[next.index] ?? "", key: keys[next.index], isAutomatic: true };
    await unlessSomebodyWasFaster(() => postMessage(deps, { channelKey, chatId: chat.id }, message));
    spoken += 1;
  }
  return spoken;
}

/** Which line comes next, and how long after which moment; null while the customer has the word, and at the end. */
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

/** Somebody else has the chat, or it is closed: nothing is left to do in it. */
async function unlessSomebodyWasFaster(step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof ChatApiError)) throw error;
  }
}
