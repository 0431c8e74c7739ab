import { errorRules } from "../../../lib/chat-api/errors.ts";
import { generalRemedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { isOutOfService } from "../../../lib/engine/state/selectors.ts";
import type { TimelineRow } from "../../../lib/engine/timeline/timeline.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Button, IconButton } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import styles from "./messages.module.css";

/** Shown below a customer's message that was refused or not answered: the reason and the possible actions. */
export function NoteRow({ row }: { row: Extract<TimelineRow, { kind: "note" }> }) {
  const { chat, t } = useChatContext();
  const { history } = useConversation();
  const { pending, keys, isListed, isAnswerCutOff, isClosed } = row;
  const { record, delivery } = pending;
  if (delivery.state !== "refused") return null;
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
