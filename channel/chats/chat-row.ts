/** A chat's row and its mapping to the Chat resource. */
import type { Chat, Handoff } from "#lib/chat-api/chat.ts";
import { addTime } from "../clock.ts";
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
 * The `updatedAt` of a change made at `now`: always later than the previous one, even within a millisecond or
 * when clocks differ. It serves as the row's version in statements that require an unchanged chat.
 */
export function nextVersion(row: { updatedAt: Date }, now: Date): Date {
  return now > row.updatedAt ? now : addTime(row.updatedAt, 1);
}
