import type { ReplyInProgress } from "#lib/conversation/state.ts";
import { useChat } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";
import { Avatar } from "../panel/avatar.tsx";
import { MessageText } from "./message-text.tsx";
import styles from "./messages.module.css";
import { Row } from "./row.tsx";

export interface ReplyRowProps {
  reply: ReplyInProgress;
  /** The connection is lost; the rest is being fetched. */
  isInterrupted: boolean;
  startsGroup: boolean;
}

/** The agent's reply while it is written. Screen readers hear of it once it is finished. */
export function ReplyRow({ reply, isInterrupted, startsGroup }: ReplyRowProps) {
  const { t, shop } = useChat();
  const text = reply.stoppedAt === null ? reply.text : reply.text.slice(0, reply.stoppedAt);
  return (
    <Row className={styles["row"]} data-role="agent" data-starts={startsGroup} aria-busy="true">
      {startsGroup && (
        <p className={styles["author"]}>
          <Avatar name={shop.agentName} isPerson={false} />
          <bdi>{shop.agentName}</bdi>
        </p>
      )}
      <div className={styles["bubble"]} data-ends="true" data-writing={reply.stoppedAt === null}>
        {text === "" ? (
          <Dots label={fill(t.delivery.answering, { name: shop.agentName })} />
        ) : (
          <MessageText text={text} />
        )}
      </div>
      {reply.stoppedAt !== null && (
        <p className={styles["time"]}>{fill(t.delivery.stopped, { name: shop.agentName })}</p>
      )}
      {isInterrupted && <p className={styles["time"]}>{t.delivery.recovering}</p>}
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
