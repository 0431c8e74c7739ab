import type { Chat, Handoff } from "../../../lib/chat-api/chat.ts";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { Button } from "../controls/buttons.tsx";
import { ContactLine } from "../errors/remedy-note.tsx";
import { useSecondsUntil } from "../errors/waiting.tsx";
import type { Format } from "../format/format.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./handoff.module.css";

/** The banner says that the customer may leave after this time without a teammate. In milliseconds. */
const longWait = 5 * 60_000;

/** Says how and when the team replies, and since when the customer waits; or that the request failed. */
export function WaitingBanner({ chat }: { chat: Chat }) {
  const context = useChatContext();
  const { t, format } = context;
  const { mode, handoff } = chat;
  const isLong = useSecondsUntil(handoff && Date.parse(handoff.requestedAt) + longWait) === 0;
  if (handoff === null) return null;
  if (handoff.status === "failed" && (mode === "waiting" || mode === "agent")) {
    return (
      <div className={styles["banner"]} data-tone="warn">
        <p>
          <strong>{t.handoff.failed}</strong> {t.handoff.failedHelp}{" "}
          <Button look="link" onClick={() => context.chat.send(t.handoff.askAgainText)}>
            {t.buttons.ask_person}
          </Button>
        </p>
        <ContactLine />
      </div>
    );
  }
  if (mode !== "waiting") return null;
  const since = sinceWhen(handoff.requestedAt, format);
  return (
    <div className={styles["banner"]}>
      {!(isLong && isTeamThere(handoff)) && (
        <p className={styles["replies"]}>
          <span>{isTeamThere(handoff) ? t.handoff.shortly : teamReplies(handoff, context)}</span>
        </p>
      )}
      <p>
        {since !== null && `${fill(t.handoff.waitingSince, { time: since })} `}
        {isLong ? t.handoff.waitingLong : t.handoff.waiting}
      </p>
    </div>
  );
}

/** Today's times need no date. */
function sinceWhen(requestedAt: string, format: Format): string | null {
  const isToday = format.dayKey(requestedAt) === format.dayKey(new Date().toISOString());
  return isToday ? format.time(requestedAt) : format.dateTime(requestedAt);
}

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
function isTeamThere({ nextAvailableAt, timezone }: Pick<Handoff, "nextAvailableAt" | "timezone">) {
  return timezone !== null && isPast(nextAvailableAt);
}

function isPast(time: string | null): boolean {
  return time === null || Date.parse(time) <= Date.now();
}
