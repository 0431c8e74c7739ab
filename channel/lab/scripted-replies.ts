/** Scripted replies, each of which replaces the agent for one turn. */
import { setTimeout as pause } from "node:timers/promises";
import { and, eq, isNull, or, sql } from "drizzle-orm";
import { type ReplyPart, replyParts } from "#lib/chat-api/message.ts";
import type { Agent, AgentEvent, ReplyPartEvent } from "../agents/agent.ts";
import type { Database, Sql } from "../db/database.ts";
import { labReplies, operations } from "../db/schema.ts";
import { ScriptedReply } from "./lab-requests.ts";

/** How often a paused reply checks whether it may continue, in milliseconds. */
const lookInterval = 20;

interface TakenReply {
  id: number;
  script: ScriptedReply;
}

export async function addReply(
  db: Sql,
  channelKey: string,
  chatId: string | undefined,
  reply: ScriptedReply,
): Promise<void> {
  await db.insert(labReplies).values({ channelKey, chatId: chatId ?? null, reply });
}

/** The scripted replies that no turn has ended, oldest first. */
export async function pendingReplies(db: Sql, channelKey: string) {
  const isPending = or(isNull(labReplies.takenBy), eq(operations.state, "running"));
  const rows = await db
    .select({ chatId: labReplies.chatId, reply: labReplies.reply, takenBy: labReplies.takenBy })
    .from(labReplies)
    .leftJoin(operations, eq(operations.id, labReplies.takenBy))
    .where(and(eq(labReplies.channelKey, channelKey), isPending))
    .orderBy(labReplies.id);
  return rows.map(({ chatId, reply, takenBy }) => {
    const { text, holdsAfter } = ScriptedReply.parse(reply);
    return { chatId, text, holdsAfter, isTaken: takenBy !== null };
  });
}

/** Removes scripted replies that no turn has taken. */
export async function clearReplies(db: Sql, channelKey: string): Promise<void> {
  await db
    .delete(labReplies)
    .where(and(eq(labReplies.channelKey, channelKey), sql`${labReplies.takenBy} is null`));
}

/** Continues the chat's paused replies: up to `holdsAfter` deltas, or to the end. */
export async function continueReplies(
  db: Sql,
  channelKey: string,
  chatId: string,
  holdsAfter: number | undefined,
): Promise<void> {
  const ofChat = and(eq(labReplies.channelKey, channelKey), eq(labReplies.chatId, chatId));
  for (const { id, reply } of await db.select().from(labReplies).where(ofChat)) {
    const script = ScriptedReply.parse(reply);
    if (script.holdsAfter === undefined) continue;
    await db
      .update(labReplies)
      .set({ reply: { ...script, holdsAfter } })
      .where(eq(labReplies.id, id));
  }
}

/** Wraps the agent: scripted turns play their script, all others reach the agent. */
export function withScriptedReplies(agent: Agent, database: Database, channelKey: string): Agent {
  return {
    async *reply(turn, signal) {
      const taken = await takeReply(database.sql, channelKey, turn.chatId, turn.operationId);
      yield* taken === undefined ? agent.reply(turn, signal) : play(database.sql, taken, signal);
    },
  };
}

/** Takes the turn's script: the one taken by an earlier attempt, otherwise the oldest match. */
async function takeReply(
  db: Sql,
  channelKey: string,
  chatId: string,
  operationId: string,
): Promise<TakenReply | undefined> {
  const next = sql`(select next.id from lab_replies next
    where next.channel_key = ${channelKey} and (next.taken_by = ${operationId}
      or (next.taken_by is null and (next.chat_id is null or next.chat_id = ${chatId})))
    order by next.taken_by nulls last, next.id limit 1 for update)`;
  const [taken] = await db
    .update(labReplies)
    .set({ takenBy: operationId })
    .where(eq(labReplies.id, next))
    .returning({ id: labReplies.id, reply: labReplies.reply });
  return taken === undefined ? undefined : { id: taken.id, script: ScriptedReply.parse(taken.reply) };
}

async function* play(db: Sql, { id, script }: TakenReply, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  const { text, deltas = words(text), delayMs, holdsAfter } = script;
  /** Index of the first delta to hold back. */
  let held = holdsAfter ?? Infinity;
  for (const [index, delta] of deltas.entries()) {
    if (index >= held) held = await untilContinued(db, id, index, signal);
    if (delayMs > 0) await pause(delayMs, undefined, { signal });
    yield { type: "text", text: delta };
  }
  if (held < Infinity) await untilContinued(db, id, Infinity, signal);
  if (script.fails) throw new Error("The lab's script fails here.");
  if (deltas.join("") !== text) yield { type: "ask", text };
  yield* attachments(script);
}

/** Waits until the reply may send delta `index`. Returns the index of the next delta to hold back. */
async function untilContinued(db: Sql, id: number, index: number, signal: AbortSignal): Promise<number> {
  for (;;) {
    const [row] = await db.select({ reply: labReplies.reply }).from(labReplies).where(eq(labReplies.id, id));
    const held = (row === undefined ? undefined : ScriptedReply.parse(row.reply).holdsAfter) ?? Infinity;
    if (held > index || held === Infinity) return held;
    await pause(lookInterval, undefined, { signal });
  }
}

function* attachments(script: ScriptedReply): Generator<AgentEvent> {
  const { collection, handoffOffer } = script;
  for (const type of Object.keys(replyParts) as ReplyPart[]) {
    const event: unknown = { type, [type]: script[type] };
    if (script[type].length > 0) yield event as ReplyPartEvent;
  }
  if (collection !== undefined) yield { type: "request_form", form: collection };
  if (handoffOffer === undefined) return;
  const details = handoffOffer === true ? undefined : handoffOffer.details;
  yield { type: "offer_handoff", ...(details === undefined ? {} : { details }) };
}

function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/gu) ?? [];
}
