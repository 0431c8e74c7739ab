/**
 * The team's actions on a chat. The Chat API documents no transitions for them (docs/chat-api.md, "States");
 * these are ours (docs/decisions, "What the team's actions do to a chat"):
 *
 *   agent ──claim──▶ teammate            waiting ──claim──▶ teammate
 *   waiting, teammate ──release──▶ agent (handoff `resolved`)
 *   waiting ──fail──▶ agent              (handoff `failed`)
 *   agent, waiting, teammate ──resolve──▶ resolved
 *
 * Each is one transaction under the chat's lock, with a system message for the customer. An action whose
 * result already holds leaves the chat unchanged.
 */
import type { Chat } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import {
  type ChatChange,
  type ChatRef,
  type ChatRow,
  lockChat,
  requireOpen,
  toChat,
} from "../chats/chat-store.ts";
import { closeForm } from "../collections/collection-state.ts";
import { loadCollection, saveCollection } from "../collections/collection-store.ts";
import type { Core } from "../core.ts";
import type { Sql } from "../db/database.ts";
import { type Notice, noticeText } from "../handoffs/notices.ts";
import { appendMessage } from "../messages/message-store.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import { supersedeTurn } from "../turns/turn-store.ts";

export interface TeamDeps extends Pick<Core, "database" | "clock"> {
  engine: TurnEngine;
}

/**
 * @param takesOver Takes the chat even from another teammate
 * @throws ChatApiError `chat_not_found`, `chat_closed`; `operation_superseded` if another teammate has the
 * chat
 */
export async function claimChat(
  deps: TeamDeps,
  ref: ChatRef,
  { name, takesOver }: { name: string; takesOver: boolean },
): Promise<Chat> {
  return act(deps, ref, async (tx, chat, now) => {
    if (chat.mode === "teammate" && chat.teammateName === name) return chat;
    if (chat.mode === "teammate" && !takesOver) throw heldByError(chat);
    return changeWithNotice(tx, chat, { notice: "joined", name }, now, {
      mode: "teammate",
      teammateName: name,
      handoffStatus: "claimed",
      ...(chat.mode === "agent" ? unaskedHandoff(now) : {}),
    });
  });
}

/**
 * Gives the chat back to the agent.
 * @throws ChatApiError `chat_not_found`, `chat_closed`
 */
export async function releaseChat(deps: TeamDeps, ref: ChatRef): Promise<Chat> {
  return act(deps, ref, async (tx, chat, now) => {
    if (chat.mode === "agent") return chat;
    const { teammateName: name } = chat;
    const notice = name === null ? ({ notice: "returned" } as const) : ({ notice: "left", name } as const);
    return changeWithNotice(tx, chat, notice, now, {
      mode: "agent",
      teammateName: null,
      handoffStatus: "resolved",
    });
  });
}

/**
 * Marks the handoff as failed because it did not reach the team: a system message says so, and the agent
 * continues.
 * @throws ChatApiError `chat_not_found`, `chat_closed`; `operation_superseded` if the chat is not waiting for
 * the team
 */
export async function failHandoff(deps: TeamDeps, ref: ChatRef): Promise<Chat> {
  return act(deps, ref, async (tx, chat, now) => {
    if (chat.mode === "agent" && chat.handoffStatus === "failed") return chat;
    if (chat.mode !== "waiting")
      throw new ChatApiError("operation_superseded", { message: "Nobody is waiting in this chat." });
    return changeWithNotice(tx, chat, { notice: "failed" }, now, { mode: "agent", handoffStatus: "failed" });
  });
}

/** @throws ChatApiError `chat_not_found` */
export async function resolveChat(deps: TeamDeps, ref: ChatRef): Promise<Chat> {
  return act(
    deps,
    ref,
    async (tx, chat, now) => {
      if (chat.mode === "resolved") return chat;
      return changeWithNotice(tx, chat, { notice: "resolved" }, now, {
        mode: "resolved",
        teammateName: null,
        resolvedAt: now,
        // In a chat with the agent, the latest handoff has ended already.
        ...(chat.mode === "agent" ? {} : { handoffStatus: "resolved" }),
      });
    },
    { alsoResolved: true },
  );
}

/** The error for acting in another teammate's chat. */
export function heldByError(chat: ChatRow): ChatApiError {
  return new ChatApiError("operation_superseded", {
    message: `${chat.teammateName ?? "Another teammate"} has this chat.`,
  });
}

/**
 * Runs one action under the chat's lock. Changing who answers ends a running agent turn
 * (`operation_superseded`), invalidates the agent's offers and closes a handoff form. Resolving closes any
 * form.
 */
async function act(
  { database, clock, engine }: TeamDeps,
  ref: ChatRef,
  change: (tx: Sql, chat: ChatRow, now: Date) => Promise<ChatRow>,
  { alsoResolved = false } = {},
): Promise<Chat> {
  const { before, after } = await database.transaction(async (tx) => {
    const before = await lockChat(tx, ref);
    if (!alsoResolved) requireOpen(before);
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

/** Changes who answers, and adds the system message. */
async function changeWithNotice(
  tx: Sql,
  chat: ChatRow,
  { notice, name }: { notice: Notice; name?: string },
  now: Date,
  change: ChatChange,
): Promise<ChatRow> {
  const text = noticeText(notice, chat.locale, name);
  const result = await appendMessage(tx, chat, { role: "system", text }, now, {
    ...change,
    activeOperationId: null,
    latestOffer: null,
  });
  return result.chat;
}

async function closeFormOf(tx: Sql, before: ChatRow, after: ChatRow): Promise<void> {
  const collection = await loadCollection(tx, before.id);
  const isVoid = after.mode === "resolved" || collection.pendingAction !== null;
  if (isVoid) await saveCollection(tx, before.id, closeForm(collection));
}

/** The handoff of a chat that a teammate claims although the customer requested none. */
function unaskedHandoff(now: Date): ChatChange {
  return {
    handoffRequestedAt: now,
    handoffRequiresEmail: false,
    handoffNextAvailableAt: null,
    handoffTimezone: null,
    handoffEmail: null,
  };
}
