import { errorRules } from "../../../lib/chat-api/errors.ts";
import { assertNever } from "../../../lib/engine/assert-never.ts";
import type { ChatEngine } from "../../../lib/engine/chat.ts";
import { generalRemedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { isOutOfService } from "../../../lib/engine/state/selectors.ts";
import type { TimelineRow } from "../../../lib/engine/timeline/timeline.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
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
      onPress={isClosed ? undefined : (button) => pressButton(button, keys, chat)}
      actions={edit}
      corner={<IconButton label={removal} icon={<Icon name="close" size={18} />} onClick={remove} />}
    />
  );
}

/** Applies the note's button to the note's messages. */
function pressButton(button: RemedyButton, keys: readonly string[], chat: ChatEngine): void {
  switch (button) {
    case "try_again":
    case "ask_again":
      chat.retry(keys);
      break;
    case "new_chat":
      chat.startOver();
      break;
    case "edit":
    case "review_form":
    case "ask_person":
      chat.edit(keys);
      break;
    case "attach_again":
    case "choose_file":
      chat.edit(keys, { withoutFiles: true });
      break;
    case "reload_messages":
      chat.reload();
      break;
    default:
      assertNever(button);
  }
}
