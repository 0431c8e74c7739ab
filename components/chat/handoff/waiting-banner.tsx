import { useEffect, useState } from "react";
import type { Chat } from "#lib/chat-api/chat.ts";
import { useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { ContactLine } from "../errors/contact-line.tsx";
import { fill } from "../i18n/strings.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import styles from "./handoff.module.css";
import { TeamHours } from "./team-hours.tsx";

/** After this long with the team there, the customer is told that they may leave. Milliseconds. */
const longWait = 5 * 60_000;

/** What waiting for the team means: since when, until when, and what to do when it came to nothing. */
export default function WaitingBanner({ runtime, chat }: { runtime: ChatRuntime; chat: Chat }) {
  const { t, format } = useChat();
  const { handoff } = chat;
  const isLong = usePassed(handoff === null ? null : Date.parse(handoff.requestedAt) + longWait);
  if (handoff === null) return null;
  if (handoff.status === "failed") {
    return (
      <div className={styles["banner"]} data-tone="warn">
        <p>
          <strong>{t.handoff.failed}</strong> {t.handoff.failedHelp}
        </p>
        <ContactLine />
        <Button onClick={() => runtime.send({ text: t.handoff.askAgainText, files: [] })}>
          {t.handoff.askAgain}
        </Button>
      </div>
    );
  }
  if (chat.mode !== "waiting") return null;
  const since = format.time(handoff.requestedAt);
  return (
    <div className={styles["banner"]}>
      {since !== null && <p className={styles["since"]}>{fill(t.handoff.waitingSince, { time: since })}</p>}
      <p>{isLong ? t.handoff.waitingLong : t.handoff.waiting}</p>
      {handoff.nextAvailableAt !== null && (
        <TeamHours nextAvailableAt={handoff.nextAvailableAt} timezone={handoff.timezone} />
      )}
      {handoff.requiresEmail && <p>{t.handoff.waitingEmail}</p>}
    </div>
  );
}

function usePassed(at: number | null): boolean {
  const [isPassed, setPassed] = useState(() => at !== null && at <= Date.now());
  useEffect(() => {
    if (at === null || Number.isNaN(at)) return;
    setPassed(at <= Date.now());
    const timer = setTimeout(() => setPassed(true), Math.max(0, at - Date.now()));
    return () => clearTimeout(timer);
  }, [at]);
  return isPassed;
}
