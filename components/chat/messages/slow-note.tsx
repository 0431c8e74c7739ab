import { useEffect, useState } from "react";
import { useShell } from "../chat-context.ts";
import styles from "./messages.module.css";

/** When to say that an answer takes long, and very long. Milliseconds. */
const patience = [8_000, 30_000];

/** To be announced, a live region exists before its text, outside `aria-busy`. Each line is said once. */
export function SlowNote({ isWaiting }: { isWaiting: boolean }) {
  const { t } = useShell();
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    if (!isWaiting) return;
    const timers = patience.map((time, index) => setTimeout(() => setPassed(index + 1), time));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [isWaiting]);
  return (
    <div className={styles["slow"]} role="status" aria-atomic={false}>
      {isWaiting && passed > 0 && <p>{t.delivery.slow}</p>}
      {isWaiting && passed > 1 && <p>{t.delivery.verySlow}</p>}
    </div>
  );
}
