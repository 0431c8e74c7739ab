import { useEffect, useRef, useState } from "react";
import type { PendingAnswer } from "../../../lib/engine/timeline/timeline.ts";
import { useChatContext } from "../chat-context.ts";
import styles from "./messages.module.css";

/** When to say that an answer takes long. Milliseconds. */
const patience = 8_000;

/**
 * Says that sending or answering a message takes long, once before the answer's first word and once after it.
 * Screen readers announce it only because the live region exists before its text and is outside `aria-busy`.
 */
export function SlowNote({ awaited }: { awaited: PendingAnswer | null }) {
  const { t } = useChatContext();
  const [isShown, setShown] = useState(false);
  const { key = null, length = 0 } = awaited ?? {};
  const phase = key === null ? null : `${key} ${length > 0 ? "writing" : "awaited"}`;
  const saidIn = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new word of the answer starts the wait again
  useEffect(() => {
    if (phase === null || saidIn.current === phase) return;
    const timer = setTimeout(() => {
      saidIn.current = phase;
      setShown(true);
    }, patience);
    return () => clearTimeout(timer);
  }, [phase, length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new word of the answer ends the wait
  useEffect(() => () => setShown(false), [phase, length]);
  return <div role="status">{isShown && <p className={styles["time"]}>{t.delivery.slow}</p>}</div>;
}
