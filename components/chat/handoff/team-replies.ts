import type { Handoff } from "../../../lib/chat-api/chat.ts";
import type { ChatContextValue } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";

/** Says who replies, from when (in the customer's time zone) and how, for an offer or a request. */
export function teamReplies(
  {
    requiresEmail,
    nextAvailableAt,
    timezone,
  }: Pick<Handoff, "requiresEmail" | "nextAvailableAt" | "timezone">,
  { t, format }: ChatContextValue,
): string {
  const { here, byEmail } = t.handoff;
  const { now, from, soon } = requiresEmail ? byEmail : here;
  if (isTeamThere({ nextAvailableAt, timezone })) return now;
  const back = format.returnTime(nextAvailableAt);
  if (isPast(nextAvailableAt) || back === null) return soon;
  const there = timezone === null ? null : format.returnTime(nextAvailableAt, timezone);
  const isElsewhere = there !== null && (there.day !== back.day || there.time !== back.time);
  return fill(from, { time: fill(isElsewhere ? t.handoff.yourTime : t.handoff.atTime, back) });
}

/** False without opening hours: it is unknown then when someone is there. */
export function isTeamThere({ nextAvailableAt, timezone }: Pick<Handoff, "nextAvailableAt" | "timezone">) {
  return timezone !== null && isPast(nextAvailableAt);
}

function isPast(time: string | null): boolean {
  return time === null || Date.parse(time) <= Date.now();
}
