import { useEffect, useRef, useState } from "react";
import type { Awaited } from "../../../lib/engine/timeline/timeline.ts";
import { useChat } from "../chat-context.ts";
import styles from "./messages.module.css";

/** When to say that an answer takes long, and very long. Milliseconds. */
const patience = [8_000, 30_000];

/**
 * Says that sending or answering a message takes long, each line once before the answer's first word and once
 * after it. Screen readers announce it only because the live region exists before its text and is outside
 * `aria-busy`.
 */
export function SlowNote({ awaited }: { awaited: Awaited | null }) {
  const { t } = useChat();
  const [shown, setShown] = useState<readonly number[]>([]);
  const { key = null, length = 0 } = awaited ?? {};
  const phase = key === null ? null : `${key} ${length > 0 ? "writing" : "awaited"}`;
  const said = useRef({ phase, lines: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new word of the answer starts the wait again
  useEffect(() => {
    if (phase === null) return;
    if (said.current.phase !== phase) said.current = { phase, lines: 0 };
    const timers = patience.map((time, line) =>
      setTimeout(() => {
        if (line < said.current.lines) return;
        said.current.lines = line + 1;
        setShown((lines) => [...lines, line]);
      }, time),
    );
    return () => {
      for (const timer of timers) clearTimeout(timer);
      setShown((lines) => (lines.length === 0 ? lines : []));
    };
  }, [phase, length]);
  return (
    <div className={styles["slow"]} role="status" aria-atomic={false}>
      {shown.map((line) => (
        <p key={line}>{[t.delivery.slow, t.delivery.verySlow][line]}</p>
      ))}
    </div>
  );
}
