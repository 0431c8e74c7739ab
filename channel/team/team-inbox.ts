/** The team's reads: lists of chats by mode, and single chats. */
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { type ChatMode, chatModes } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { type ChatRef, type ChatRow, toChat } from "../chats/chat-store.ts";
import { readCollection } from "../collections/collection-state.ts";
import { loadCollection } from "../collections/collection-store.ts";
import type { Sql } from "../db/database.ts";
import { chats, messages } from "../db/schema.ts";
import type { TeamHours } from "../db/team-hours.ts";
import { withCurrentAvailability } from "../handoffs/hours.ts";
import { messagesBefore, toMessage } from "../messages/message-store.ts";

/** The team's hours and the channel's time, from which a waiting chat's availability follows. */
export interface AvailabilityNow {
  hours: TeamHours | null;
  now: Date;
}

/** The team's view of a chat: the customer's view, plus data that the Chat API does not show. */
export type TeamChat = Awaited<ReturnType<typeof readTeamChat>>;
export type TeamChatSummary = ReturnType<typeof toSummary>;
export type ModeCounts = Record<ChatMode, number>;

/** Lists chats by latest change, by default of all modes. Waiting chats alone begin with the longest wait. */
export async function listTeamChats(
  db: Sql,
  { channelKey, mode, limit }: { channelKey: string; mode?: ChatMode | undefined; limit: number },
  at: AvailabilityNow,
): Promise<TeamChatSummary[]> {
  const order =
    mode === "waiting"
      ? [asc(chats.handoffRequestedAt), asc(chats.id)]
      : [desc(chats.updatedAt), desc(chats.id)];
  const rows = await selectSummaries(db)
    .where(and(eq(chats.channelKey, channelKey), mode === undefined ? undefined : eq(chats.mode, mode)))
    .orderBy(...order)
    .limit(limit);
  return rows.map((row) => toSummary(row, at));
}

/** @throws ChatApiError `chat_not_found` */
export async function readTeamChat(db: Sql, ref: ChatRef, messageLimit: number, at: AvailabilityNow) {
  const [row] = await selectSummaries(db).where(
    and(eq(chats.id, ref.chatId), eq(chats.channelKey, ref.channelKey)),
  );
  if (row === undefined) throw new ChatApiError("chat_not_found");
  // One extra row shows whether there are earlier messages.
  const latest = await messagesBefore(db, row.chat.id, row.chat.lastSequence + 1, messageLimit + 1);
  return {
    ...toSummary(row, at),
    /** The latest, oldest first. */
    messages: latest.slice(-messageLimit).map(toMessage),
    hasEarlier: latest.length > messageLimit,
    collection: readCollection(await loadCollection(db, row.chat.id)),
  };
}

export async function countByMode(db: Sql, channelKey: string): Promise<ModeCounts> {
  const rows = await db
    .select({ mode: chats.mode, count: sql<number>`count(*)::int` })
    .from(chats)
    .where(eq(chats.channelKey, channelKey))
    .groupBy(chats.mode);
  const counts: ModeCounts = { agent: 0, waiting: 0, teammate: 0, resolved: 0 };
  for (const mode of chatModes) counts[mode] = rows.find((row) => row.mode === mode)?.count ?? 0;
  return counts;
}

/** The chat's latest message other than system messages. */
const lastSequence = sql`(select max(said.sequence) from messages said
  where said.chat_id = ${chats.id} and said.role <> 'system')`;

const isUnanswered = sql`asked.chat_id = ${chats.id} and asked.role = 'visitor' and asked.sequence > coalesce(
  (select max(answer.sequence) from messages answer
    where answer.chat_id = ${chats.id} and answer.role in ('agent', 'teammate')), 0)`;

const unanswered = sql<number>`(select count(*)::int from messages asked where ${isUnanswered})`;

const unansweredSince =
  sql<Date | null>`(select min(asked.created_at) from messages asked where ${isUnanswered})`.mapWith(
    messages.createdAt,
  );

function selectSummaries(db: Sql) {
  return db
    .select({ chat: chats, lastMessage: messages, unanswered, unansweredSince })
    .from(chats)
    .leftJoin(messages, and(eq(messages.chatId, chats.id), eq(messages.sequence, lastSequence)))
    .$dynamic();
}

type SummaryRow = Awaited<ReturnType<typeof selectSummaries>>[number];

function toSummary({ chat, lastMessage, unanswered, unansweredSince }: SummaryRow, at: AvailabilityNow) {
  return {
    chat: toChat(withCurrentAvailability(chat, at.hours, at.now)),
    /** BCP 47, as given when the chat was created. */
    locale: chat.locale,
    /** Where to reply while the team is away; null if the customer gave no address. */
    email: chat.handoffEmail,
    lastMessage:
      lastMessage === null
        ? null
        : {
            role: lastMessage.role,
            text: lastMessage.text,
            createdAt: lastMessage.createdAt?.toISOString() ?? null,
          },
    /** Whether the agent is writing a reply. */
    isAnswering: chat.activeOperationId !== null,
    /** The number of the customer's messages since the last answer. */
    unanswered,
    /**
     * The time since when the customer waits for a teammate or for the teammate's answer; null while nobody
     * waits.
     */
    waitingSince: waitingSince(chat, unansweredSince)?.toISOString() ?? null,
  };
}

function waitingSince(chat: ChatRow, unansweredSince: Date | null): Date | null {
  if (chat.mode === "waiting") return chat.handoffRequestedAt;
  return chat.mode === "teammate" ? unansweredSince : null;
}
