import { useChatContext } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import styles from "./forms.module.css";

export interface GivenAnswerProps {
  /** The question. */
  name: string;
  value: string;
  onEdit(): void;
}

/** An answer that the customer has given with the offer. The form submits it without asking again. */
export function GivenAnswer({ name, value, onEdit }: GivenAnswerProps) {
  const { t } = useChatContext();
  return (
    <div className={styles["field"]}>
      <bdi>{name}</bdi>
      <p className={styles["given"]}>
        <bdi>{value}</bdi>
        <Button look="quiet" aria-label={`${t.buttons.edit}: ${name}`} onClick={onEdit}>
          {t.buttons.edit}
        </Button>
      </p>
    </div>
  );
}
