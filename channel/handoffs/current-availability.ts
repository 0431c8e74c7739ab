/** A request that is open says when the team is available as of now, not as of when the customer asked. */
import type { ChatRow } from "../chats/chat-row.ts";
import { availabilityAt } from "./hours.ts";
import type { TeamHours } from "./team-hours.ts";

export function withCurrentAvailability(chat: ChatRow, hours: TeamHours | null, now: Date): ChatRow {
  if (chat.handoffStatus !== "waiting") return chat;
  const { nextAvailableAt, timezone } = availabilityAt(hours, now);
  return { ...chat, handoffNextAvailableAt: nextAvailableAt, handoffTimezone: timezone };
}
