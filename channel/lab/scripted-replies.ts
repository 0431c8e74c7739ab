/** Replies that the lab scripted take the place of the agent's, one each. */
import { setTimeout as pause } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import type { Agent, AgentEvent } from "../agents/agent.ts";
import type { Database, Sql } from "../db/database.ts";
import { labReplies } from "../db/schema.ts";
import { ScriptedReply } from "./lab-requests.ts";

/** Between two looks whether a reply that waits may go on. Milliseconds. */
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

/** Forgets the replies that no turn has taken yet. */
export async function clearReplies(db: Sql, channelKey: string): Promise<void> {
  await db
    .delete(labReplies)
    .where(and(eq(labReplies.channelKey, channelKey), sql`${labReplies.takenBy} is null`));
}

/** Lets the chat's replies go on that wait after some of their deltas: up to `holdsAfter` deltas, or to the end. */
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

/** The agent, except for turns that a script is there for. */
export function withScriptedReplies(agent: Agent, database: Database, channelKey: string): Agent {
  return {
    async *reply(turn, signal) {
      const taken = await takeReply(database.sql, channelKey, turn.chatId, turn.operationId);
      yield* taken === undefined ? agent.reply(turn, signal) : play(database.sql, taken, signal);
    },
  };
}

/** The turn's script: the one it has taken in an earlier attempt, else the oldest that fits. */
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
  /** The first delta that has to wait. */
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

/** Waits until the reply may go on to this delta: after how many it is to wait again. */
async function untilContinued(db: Sql, id: number, index: number, signal: AbortSignal): Promise<number> {
  for (;;) {
    const [row] = await db.select({ reply: labReplies.reply }).from(labReplies).where(eq(labReplies.id, id));
    const held = (row === undefined ? undefined : ScriptedReply.parse(row.reply).holdsAfter) ?? Infinity;
    if (held > index || held === Infinity) return held;
    await pause(lookInterval, undefined, { signal });
  }
}

function* attachments(script: ScriptedReply): Generator<AgentEvent> {
  const { citations, products, orders, choices, collection, handoffOffer } = script;
  if (citations.length > 0) yield { type: "citations", citations };
  if (products.length > 0) yield { type: "products", products };
  if (orders.length > 0) yield { type: "orders", orders };
  if (choices.length > 0) yield { type: "choices", choices };
  if (collection !== undefined) yield { type: "request_form", form: collection };
  if (handoffOffer === undefined) return;
  const details = handoffOffer === true ? undefined : handoffOffer.details;
  yield { type: "offer_handoff", ...(details === undefined ? {} : { details }) };
}

function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/gu) ?? [];
}
