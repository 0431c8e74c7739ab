import { useChatContext, useChatState } from "../chat-context.ts";
import { Button } from "../controls/buttons.tsx";
import styles from "./forms.module.css";

/** Shown in place of a form while the chat's collection is unknown. */
export function ReadingNote() {
  const { chat, t } = useChatContext();
  const hasFailed = useChatState(chat, ({ forms }) => forms.reading === "failed");
  if (!hasFailed)
    return (
      <p className={styles["note"]} role="status">
        {t.form.loading}
      </p>
    );
  return (
    <p role="alert">
      {t.form.readFailed}{" "}
      <Button look="link" onClick={chat.readForm}>
        {t.buttons.try_again}
      </Button>
    </p>
  );
}
