import { useEffect, useRef, useState } from "react";
import { useShell } from "../chat-context.ts";
import styles from "./messages.module.css";

/** When to say that an answer takes long, and very long. Milliseconds. */
const patience = [8_000, 30_000];

/**
 * Says that sending or answering a message takes long, each line once per message. Screen readers announce it
 * only because the live region exists before its text and is outside `aria-busy`.
 */
export function SlowNote({ awaitedKey }: { awaitedKey: string | null }) {
  const { t } = useShell();
  const [shown, setShown] = useState<readonly number[]>([]);
  const said = useRef({ key: awaitedKey, lines: 0 });
  useEffect(() => {
    if (awaitedKey === null) return;
    if (said.current.key !== awaitedKey) said.current = { key: awaitedKey, lines: 0 };
    const timers = patience.map((time, line) =>
      setTimeout(() => {
        if (line < said.current.lines) return;
        said.current.lines = line + 1;
        setShown((lines) => [...lines, line]);
      }, time),
    );
    return () => {
      for (const timer of timers) clearTimeout(timer);
      setShown([]);
    };
  }, [awaitedKey]);
  return (
    <div className={styles["slow"]} role="status" aria-atomic={false}>
      {shown.map((line) => (
        <p key={line}>{[t.delivery.slow, t.delivery.verySlow][line]}</p>
      ))}
    </div>
  );
}
