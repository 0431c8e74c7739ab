import { useEffect, useRef, useState } from "react";
import type { ConversationState, ReplyInProgress } from "../../../lib/engine/state/state.ts";
import { pendingAnswerOf } from "../../../lib/engine/timeline/timeline.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";
import { Author } from "./message-row.tsx";
import styles from "./messages.module.css";
import { MessageText, Row } from "./row.tsx";

export interface ReplyRowProps {
  reply: ReplyInProgress;
  progress: "writing" | "interrupted" | "cut_off";
  startsGroup: boolean;
}

const agent = { role: "agent", author: null } as const;

/** The agent's reply while it streams. Screen readers announce it when it is complete. */
export function ReplyRow({ reply, progress, startsGroup }: ReplyRowProps) {
  const { t, shop } = useChatContext();
  const isWriting = progress !== "cut_off";
  const text = reply.stoppedAt === null ? reply.text : reply.text.slice(0, reply.stoppedAt);
  return (
    <Row className={styles["row"]} data-role="agent" data-starts={startsGroup}>
      <Author message={agent} isShown={startsGroup} />
      <div
        className={styles["bubble"]}
        data-writing={isWriting && reply.stoppedAt === null}
        aria-busy={isWriting}
      >
        {text === "" ? (
          <Dots label={fill(t.delivery.answering, { name: shop.agentName })} />
        ) : (
          <MessageText text={text} />
        )}
      </div>
      {reply.stoppedAt !== null && (
        <p className={styles["time"]}>{fill(t.delivery.stopped, { name: shop.agentName })}</p>
      )}
      {progress === "interrupted" && <p className={styles["time"]}>{t.delivery.recovering}</p>}
    </Row>
  );
}

function Dots({ label }: { label: string }) {
  return (
    <span className={styles["dots"]} role="img" aria-label={label}>
      <i />
      <i />
      <i />
    </span>
  );
}

/** When to say that an answer takes long. Milliseconds. */
const patience = 8_000;

/** The current wait: for the answer of a message, or for the end of one that has begun. Null for none. */
function phaseOf(state: ConversationState): string | null {
  const awaited = pendingAnswerOf(state);
  return awaited && `${awaited.key} ${awaited.length > 0 ? "writing" : "awaited"}`;
}

/**
 * Says that sending or answering a message takes long, once before the answer's first word and once after it.
 * Screen readers announce it only because the live region exists before its text and is outside `aria-busy`.
 */
export function SlowNote() {
  const { chat, t } = useChatContext();
  const [isShown, setShown] = useState(false);
  const phase = useConversation(phaseOf);
  const saidIn = useRef<string | null>(null);
  useEffect(() => {
    if (phase === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let length = -1;
    // Each new word of the answer starts the wait again.
    const follow = () => {
      const now = pendingAnswerOf(chat.getState().conversation)?.length ?? 0;
      if (now === length) return;
      length = now;
      setShown(false);
      clearTimeout(timer);
      if (saidIn.current !== phase) timer = setTimeout(say, patience);
    };
    const say = () => {
      saidIn.current = phase;
      setShown(true);
    };
    follow();
    const stop = chat.subscribe(follow);
    return () => {
      stop();
      clearTimeout(timer);
      setShown(false);
    };
  }, [chat, phase]);
  return <div role="status">{isShown && <p className={styles["time"]}>{t.delivery.slow}</p>}</div>;
}
