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
  const isNow = nextAvailableAt === null || Date.parse(nextAvailableAt) <= Date.now();
  const back = format.returnTime(nextAvailableAt);
  // Without opening hours it is unknown when someone is there.
  if (isNow || back === null) return isNow && timezone !== null ? now : soon;
  const there = timezone === null ? null : format.returnTime(nextAvailableAt, timezone);
  const isElsewhere = there !== null && (there.day !== back.day || there.time !== back.time);
  return fill(from, { time: fill(isElsewhere ? t.handoff.yourTime : t.handoff.atTime, back) });
}
