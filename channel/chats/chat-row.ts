/** A chat as it is stored, and as the Chat resource shows it. */
import type { Chat, Handoff } from "#lib/chat-api/chat.ts";
import { after } from "../clock.ts";
import type { chats } from "../db/schema.ts";

export type ChatRow = typeof chats.$inferSelect;

export function toChat(row: ChatRow): Chat {
  return {
    id: row.id,
    channelKey: row.channelKey,
    userId: row.userId,
    mode: row.mode,
    teammate: row.teammateName === null ? null : { name: row.teammateName },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    historyComplete: row.historyComplete,
    handoff: handoffOf(row),
  };
}

function handoffOf(row: ChatRow): Handoff | null {
  if (row.handoffStatus === null || row.handoffRequestedAt === null) return null;
  return {
    status: row.handoffStatus,
    requestedAt: row.handoffRequestedAt.toISOString(),
    requiresEmail: row.handoffRequiresEmail ?? false,
    nextAvailableAt: row.handoffNextAvailableAt?.toISOString() ?? null,
    timezone: row.handoffTimezone,
  };
}

/**
 * The `updatedAt` of a change at `now`: later than the one before, even within a millisecond or when clocks differ.
 * It is the row's version, so that a statement can say "if the chat is still as I read it".
 */
export function nextVersion(row: { updatedAt: Date }, now: Date): Date {
  return now > row.updatedAt ? now : after(row.updatedAt, 1);
}
