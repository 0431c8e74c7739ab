import type { Delivery, PendingMessage } from "../../../lib/engine/state/state.ts";
import type { TimelineRow } from "../../../lib/engine/timeline/timeline.ts";
import { useChatContext } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { useReasonLabel, waitingText } from "../errors/waiting.tsx";
import { fill } from "../i18n/strings.ts";
import { MessageCards } from "./message-parts.tsx";
import { MessageText } from "./message-text.tsx";
import styles from "./messages.module.css";
import { Row } from "./row.tsx";
import { TryNow } from "./try-now.tsx";

/**
 * A message of the customer that the chat's history does not show yet. `NoteRow` has the actions once it is
 * refused.
 */
export function PendingRow({ row }: { row: Extract<TimelineRow, { kind: "pending" }> }) {
  const { t } = useChatContext();
  const { pending, isBehindReply, startsGroup } = row;
  const { record, delivery } = pending;
  return (
    <Row
      className={styles["row"]}
      data-role="visitor"
      data-starts={startsGroup}
      data-delivery={delivery.state}
    >
      <Hidden>{fill(t.messages.said, { name: t.messages.you })}</Hidden>
      {record.text !== "" && (
        <div className={styles["bubble"]}>
          <MessageText text={record.text} />
        </div>
      )}
      <MessageCards message={{ files: [...record.files] }} />
      {delivery.state !== "refused" && delivery.state !== "unsure" && (
        <DeliveryState pending={pending} delivery={delivery} isBehindReply={isBehindReply} />
      )}
    </Row>
  );
}

type InProgress = Exclude<Delivery, { state: "refused" | "unsure" }>;

interface DeliveryStateProps {
  pending: PendingMessage;
  delivery: InProgress;
  isBehindReply: boolean;
}

function DeliveryState({ pending, delivery, isBehindReply }: DeliveryStateProps) {
  const { t } = useChatContext();
  const waiting = delivery.state === "waiting" ? delivery : null;
  const reason = isBehindReply
    ? "turn"
    : waiting && waitingText(waiting.failure, pending.record.chatId === null);
  const label = useReasonLabel(reason, waiting?.at ?? null);
  return (
    <p className={styles["time"]}>
      <Icon name={delivery.state === "stored" ? "check" : "clock"} size={14} />
      <span>{label ?? (delivery.state !== "waiting" && t.delivery[delivery.state])}</span>
      <TryNow pending={pending} />
    </p>
  );
}
