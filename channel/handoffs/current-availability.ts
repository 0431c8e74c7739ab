/** Replaces the availability that a waiting chat has stored since its handoff request by the current one. */
import type { ChatRow } from "../chats/chat-row.ts";
import type { TeamHours } from "../db/team-hours.ts";
import { availabilityAt } from "./hours.ts";

export function withCurrentAvailability(chat: ChatRow, hours: TeamHours | null, now: Date): ChatRow {
  if (chat.handoffStatus !== "waiting") return chat;
  const { nextAvailableAt, timezone } = availabilityAt(hours, now);
  return { ...chat, handoffNextAvailableAt: nextAvailableAt, handoffTimezone: timezone };
}
