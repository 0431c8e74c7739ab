import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { generalRemedy, remedyFor } from "../../../lib/engine/remedies.ts";
import type { TimelineRow } from "../../../lib/engine/timeline/timeline.ts";
import { useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { PartIcon } from "../controls/part-icons.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import styles from "./messages.module.css";
import { pressButton, takeBack } from "./note-actions.ts";

export interface NoteRowProps {
  runtime: ChatRuntime;
  row: Extract<TimelineRow, { kind: "note" }>;
}

/** Shown below a customer's message that was refused or not answered: the reason and the possible actions. */
export function NoteRow({ runtime, row }: NoteRowProps) {
  const { t } = useChat();
  const { pending, keys, isListed, isAnswerCutOff, isClosed } = row;
  const { record, delivery } = pending;
  if (delivery.state !== "refused") return null;
  const { code } = delivery.failure;
  const hasNoSuchFile = record.files.length === 0 && (code === "file_not_found" || code === "file_not_ready");
  const remedy = remedyFor(delivery.failure);
  const hasBrokenOff = isAnswerCutOff && remedy.text === "no_answer";
  const canEdit = !isListed && !isClosed && remedy.button !== "edit";
  const edit = canEdit && (
    <Button look="link" onClick={() => takeBack(runtime, [record.key])}>
      {t.buttons.edit}
    </Button>
  );
  const removal = isListed ? t.notes.dismiss : t.notes.remove;
  const remove = () => runtime.delivery.takeBack(record.key);
  if (keys.length === 0 || (isClosed && !isListed)) {
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
      failure={delivery.failure}
      remedy={hasNoSuchFile ? generalRemedy : undefined}
      text={hasBrokenOff ? t.delivery.brokeOff : undefined}
      onPress={isClosed ? undefined : (button) => pressButton(button, keys, runtime)}
      actions={edit}
      corner={<IconButton label={removal} icon={<PartIcon name="close" size={18} />} onClick={remove} />}
    />
  );
}
