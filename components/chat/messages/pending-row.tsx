import type { Delivery } from "../../../lib/conversation/state/state.ts";
import type { TimelineRow } from "../../../lib/conversation/timeline/timeline.ts";
import { useShell } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { useSecondsUntil } from "../errors/use-seconds-until.ts";
import { waitingText } from "../errors/waiting-text.ts";
import { fill } from "../i18n/strings.ts";
import { Attached } from "./attached.tsx";
import { MessageText } from "./message-text.tsx";
import styles from "./messages.module.css";
import { Row } from "./row.tsx";

export interface PendingRowProps {
  row: Extract<TimelineRow, { kind: "pending" }>;
}

/** A message of the customer that the chat's history does not show yet. `NoteRow` has the actions. */
export function PendingRow({ row: { pending, isBehindReply, startsGroup } }: PendingRowProps) {
  const { t } = useShell();
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
        <div className={styles["bubble"]} data-ends="true">
          <MessageText text={record.text} />
        </div>
      )}
      <Attached parts={{ files: [...record.files] }} />
      {delivery.state !== "refused" && delivery.state !== "unsure" && (
        <DeliveryState delivery={delivery} isBehindReply={isBehindReply} />
      )}
    </Row>
  );
}

type InProgress = Exclude<Delivery, { state: "refused" | "unsure" }>;

function DeliveryState({ delivery, isBehindReply }: { delivery: InProgress; isBehindReply: boolean }) {
  const { t, format } = useShell();
  const isWaiting = delivery.state === "waiting";
  // Waits for the network, another turn or a file have no countdown.
  const isTimed = isWaiting && !["offline", "turn", "file"].includes(waitingText(delivery.failure));
  const seconds = useSecondsUntil(isTimed ? delivery.at : null);
  return (
    <p className={styles["time"]}>
      <Icon name={delivery.state === "stored" ? "check" : "clock"} size={14} />
      <span>
        {isBehindReply
          ? t.waiting.turn
          : isWaiting
            ? t.waiting[waitingText(delivery.failure)]
            : t.delivery[delivery.state]}
        {seconds > 1 && ` ${format.wait(seconds)}`}
      </span>
    </p>
  );
}
