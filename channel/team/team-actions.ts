/**
 * What the team does with a chat. The specification shows no transitions for it ("States and transitions"); these are
 * ours (docs/decisions, "What the team's actions do to a chat"):
 *
 *   agent ──claim──▶ teammate            waiting ──claim──▶ teammate
 *   waiting, teammate ──release──▶ agent (handoff `resolved`)
 *   waiting ──fail──▶ agent              (handoff `failed`)
 *   agent, waiting, teammate ──resolve──▶ resolved
 *
 * Each is one transaction under the chat's lock, with a notice that tells the customer. One that finds the chat as it
 * would leave it changes nothing.
 */
import { and, eq } from "drizzle-orm";
import type { Chat, HandoffStatus } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { type ChatRow, toChat } from "../chats/chat-row.ts";
import { type ChatChange, type ChatPlace, lockChat } from "../chats/chat-store.ts";
import type { Clock } from "../clock.ts";
import { closeForm } from "../collections/collection-state.ts";
import { loadCollection, saveCollection } from "../collections/collection-store.ts";
import type { Database, Sql } from "../db/database.ts";
import { handoffs } from "../db/schema.ts";
import { type Notice, noticeText } from "../handoffs/notices.ts";
import { newId } from "../ids.ts";
import { appendMessage } from "../messages/message-store.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import { supersedeTurn } from "../turns/turn-store.ts";

export interface TeamDeps {
  database: Database;
  clock: Clock;
  engine: TurnEngine;
}

export interface Claimant {
  name: string;
  /** True for the automatic teammate, which steps back as soon as a person acts. */
  isAutomatic?: boolean;
  /** Takes the chat from another teammate, too. */
  takesOver?: boolean;
}

/** @throws ChatApiError `chat_not_found`, `chat_closed`, `operation_superseded` where another teammate has the chat */
export async function claimChat(deps: TeamDeps, place: ChatPlace, claimant: Claimant): Promise<Chat> {
  return act(deps, place, async (tx, chat, now) => {
    if (chat.mode === "teammate" && chat.teammateName === claimant.name) {
      // A person of the automatic teammate's name: the chat is theirs from now on.
      if (claimant.isAutomatic !== true)
        await noteOnHandoff(tx, chat, { status: "claimed", isAutomatic: false });
      return chat;
    }
    if (chat.mode === "teammate" && claimant.takesOver !== true) throw heldBy(chat);
    if (chat.mode === "agent") await openHandoff(tx, chat, now);
    await noteOnHandoff(tx, chat, {
      teammateName: claimant.name,
      isAutomatic: claimant.isAutomatic ?? false,
      status: "claimed",
    });
    return tell(tx, chat, { kind: "joined", name: claimant.name }, now, {
      mode: "teammate",
      teammateName: claimant.name,
      handoffStatus: "claimed",
      ...(chat.mode === "agent" ? unaskedHandoff(now) : {}),
    });
  });
}

/**
 * Gives the chat back to the agent.
 * @throws ChatApiError `chat_not_found`, `chat_closed`
 */
export async function releaseChat(deps: TeamDeps, place: ChatPlace): Promise<Chat> {
  return act(deps, place, async (tx, chat, now) => {
    if (chat.mode === "agent") return chat;
    await noteOnHandoff(tx, chat, { status: "resolved" });
    return tell(tx, chat, { kind: "returned", name: chat.teammateName }, now, {
      mode: "agent",
      teammateName: null,
      handoffStatus: "resolved",
    });
  });
}

/**
 * The request did not reach the team: the agent goes on, and says so.
 * @throws ChatApiError `chat_not_found`, `chat_closed`, `operation_superseded` where nobody is waiting
 */
export async function failHandoff(deps: TeamDeps, place: ChatPlace): Promise<Chat> {
  return act(deps, place, async (tx, chat, now) => {
    if (chat.mode === "agent" && chat.handoffStatus === "failed") return chat;
    if (chat.mode !== "waiting")
      throw new ChatApiError("operation_superseded", { message: "Nobody is waiting in this chat." });
    await noteOnHandoff(tx, chat, { status: "failed" });
    return tell(tx, chat, { kind: "failed" }, now, { mode: "agent", handoffStatus: "failed" });
  });
}

/** @throws ChatApiError `chat_not_found` */
export async function resolveChat(deps: TeamDeps, place: ChatPlace): Promise<Chat> {
  return act(
    deps,
    place,
    async (tx, chat, now) => {
      if (chat.mode === "resolved") return chat;
      await noteOnHandoff(tx, chat, { status: "resolved" });
      return tell(tx, chat, { kind: "resolved" }, now, {
        mode: "resolved",
        teammateName: null,
        resolvedAt: now,
        handoffStatus: chat.handoffStatus === null ? null : "resolved",
      });
    },
    { alsoResolved: true },
  );
}

/** The error of acting in a chat that another teammate has. */
export function heldBy(chat: ChatRow): ChatApiError {
  return new ChatApiError("operation_superseded", {
    message: `${chat.teammateName ?? "Another teammate"} has this chat.`,
  });
}

/**
 * Runs one action under the chat's lock. Whatever changes who answers ends an agent's turn that is running
 * (`operation_superseded` for whoever waits for it), makes its offers stale and closes a form that was part of one.
 */
async function act(
  { database, clock, engine }: TeamDeps,
  place: ChatPlace,
  change: (tx: Sql, chat: ChatRow, now: Date) => Promise<ChatRow>,
  { alsoResolved = false } = {},
): Promise<Chat> {
  const { before, after } = await database.transaction(async (tx) => {
    const before = await lockChat(tx, place);
    if (before.mode === "resolved" && !alsoResolved) throw new ChatApiError("chat_closed");
    const now = clock.now();
    const after = await change(tx, before, now);
    if (after.mode !== before.mode) {
      await supersedeTurn(tx, before, now);
      await closeFormOf(tx, before, after);
    }
    return { before, after };
  });
  if (before.activeOperationId !== null && after.activeOperationId === null)
    await engine.abandon(before.activeOperationId);
  return toChat(after);
}

/** Changes who answers, and tells the customer. */
async function tell(tx: Sql, chat: ChatRow, notice: Notice, now: Date, change: ChatChange): Promise<ChatRow> {
  const text = noticeText(notice, chat.locale);
  const told = await appendMessage(tx, chat, { role: "system", text }, now, {
    ...change,
    activeOperationId: null,
    latestOfferId: null,
  });
  return told.chat;
}

async function closeFormOf(tx: Sql, before: ChatRow, after: ChatRow): Promise<void> {
  const collection = await loadCollection(tx, before.id);
  const isVoid = after.mode === "resolved" || collection.pendingAction !== null;
  if (isVoid) await saveCollection(tx, before.id, closeForm(collection));
}

/** The team came by itself: the chat has a handoff all the same, because a teammate answers in it. */
async function openHandoff(tx: Sql, chat: ChatRow, now: Date): Promise<void> {
  await tx.insert(handoffs).values({
    id: newId("handoff"),
    chatId: chat.id,
    operationId: null,
    confirmationId: null,
    email: null,
    locale: chat.locale,
    status: "waiting",
    requestedAt: now,
  });
}

function unaskedHandoff(now: Date): ChatChange {
  return {
    handoffRequestedAt: now,
    handoffRequiresEmail: false,
    handoffNextAvailableAt: null,
    handoffTimezone: null,
  };
}

/** Keeps the latest request in step with what the chat's row shows of it. */
async function noteOnHandoff(
  tx: Sql,
  chat: ChatRow,
  change: { status: HandoffStatus; teammateName?: string; isAutomatic?: boolean },
): Promise<void> {
  const open = chat.mode === "waiting" || chat.mode === "agent" ? "waiting" : "claimed";
  await tx
    .update(handoffs)
    .set(change)
    .where(and(eq(handoffs.chatId, chat.id), eq(handoffs.status, open)));
}
