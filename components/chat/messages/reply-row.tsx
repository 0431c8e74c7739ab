import type { ReplyInProgress } from "../../../lib/engine/state/state.ts";
import { useChatContext } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";
import { Author } from "./message-row.tsx";
import { MessageText } from "./message-text.tsx";
import styles from "./messages.module.css";
import { Row } from "./row.tsx";

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
