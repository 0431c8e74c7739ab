import { errorRules } from "../../../lib/chat-api/errors.ts";
import { askedUntil } from "../../../lib/engine/failure.ts";
import * as conversationLimits from "../../../lib/engine/limits.ts";
import { generalRemedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { isOutOfService } from "../../../lib/engine/state/selectors.ts";
import type { Delivery, PendingMessage } from "../../../lib/engine/state/state.ts";
import type { TimelineRow } from "../../../lib/engine/timeline/timeline.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Button, IconButton } from "../controls/buttons.tsx";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { useReasonLabel, useSecondsUntil, waitingText } from "../errors/waiting.tsx";
import { fill } from "../i18n/strings.ts";
import { MessageCards } from "./message-parts.tsx";
import styles from "./messages.module.css";
import { MessageText, Row } from "./row.tsx";

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

/** A button for a message whose outcome is in doubt some seconds after it was sent: repeats it at once. */
function TryNow({ pending: { record, delivery } }: { pending: PendingMessage }) {
  const { chat, t } = useChatContext();
  const isDoubted = isInDoubt(delivery);
  const seconds = useSecondsUntil(isDoubted ? record.createdAt + conversationLimits.quietDoubt : null);
  const secondsAsked = useSecondsUntil(delivery.state === "waiting" ? askedUntil(delivery.failure) : null);
  const isHeld = delivery.state === "checking" || secondsAsked > 0;
  if (!isDoubted || seconds > 0) return null;
  // It stays in place during an attempt, and a wait that the server asked for, so that the focus stays on it.
  return (
    <Button look="link" aria-disabled={isHeld} onClick={chat.tryNow}>
      {t.buttons.try_again}
    </Button>
  );
}

/** The codes of an unreachable server alternate while its programs restart. */
function isInDoubt(delivery: Delivery): boolean {
  if (delivery.state !== "waiting") return delivery.state === "checking" || delivery.state === "unsure";
  const { outcome, isUnreachable } = errorRules[delivery.failure.code];
  return outcome === "unknown" || isUnreachable;
}

/**
 * Shown below a customer's message that was refused or not answered, or whose outcome is unknown: the reason
 * and the possible actions.
 */
export function NoteRow({ row }: { row: Extract<TimelineRow, { kind: "note" }> }) {
  const { chat, t } = useChatContext();
  const { history } = useConversation();
  const { pending, keys, isListed, isAnswerCutOff, isClosed } = row;
  const { record, delivery } = pending;
  if (delivery.state !== "refused") {
    return (
      <p className={styles["time"]} data-delivery="unsure">
        <Icon name="clock" size={14} />
        {t.delivery.unsure} <TryNow pending={pending} />
      </p>
    );
  }
  const { code } = delivery.failure;
  const { ends, repeat } = errorRules[code];
  const isAboutFile = ends === "file" || repeat?.waitingFor === "file";
  const remedy = remedyFor(delivery.failure);
  const hasBrokenOff = isAnswerCutOff && remedy.text === "no_answer";
  const canEdit = !isListed && !isClosed && remedy.button !== "edit";
  const edit = canEdit && (
    <Button look="link" onClick={() => chat.edit([record.key])}>
      {t.buttons.edit}
    </Button>
  );
  const removal = isListed ? t.panel.dismiss : t.notes.remove;
  const remove = () => chat.withdraw(record.key);
  const press = (button: RemedyButton) => {
    if (button === "try_again" || button === "ask_again") chat.retry(keys);
    else chat.edit(keys, { withoutFiles: button === "attach_again" || button === "choose_file" });
  };
  const failureAbove = history.state === "failed" ? history.failure : null;
  const isSaidAbove = failureAbove !== null && isOutOfService(failureAbove.code) && isOutOfService(code);
  if (keys.length === 0 || isSaidAbove || (isClosed && !isListed)) {
    return (
      <p className={styles["time"]}>
        {t.delivery.notSent} {edit}
        <Button look="link" onClick={remove}>
          {removal}
        </Button>
      </p>
    );
  }
  return (
    <RemedyNote
      weight="line"
      failure={delivery.failure}
      remedy={isAboutFile && record.files.length === 0 ? generalRemedy : undefined}
      text={hasBrokenOff ? t.notes.brokeOff : undefined}
      onPress={isClosed ? undefined : press}
      actions={edit}
      corner={<IconButton label={removal} icon={<Icon name="close" size={18} />} onClick={remove} />}
    />
  );
}
