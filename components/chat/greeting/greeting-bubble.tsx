import type { Ref } from "react";
import { useChatContext } from "../chat-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import styles from "./greeting.module.css";

export interface GreetingBubbleProps {
  ref?: Ref<HTMLDivElement>;
  text: string;
  isHidden: boolean;
  onOpen(): void;
  onDismiss(): void;
}

/** Above the chat's button. Its text opens the chat. */
export function GreetingBubble({ ref, text, isHidden, onOpen, onDismiss }: GreetingBubbleProps) {
  const { t } = useChatContext();
  return (
    <div ref={ref} className={styles["greeting"]} data-hidden={isHidden}>
      <button type="button" className={styles["text"]} onClick={onOpen}>
        <bdi>{text}</bdi>
      </button>
      <IconButton
        icon={<Icon name="close" size={16} />}
        label={t.panel.dismiss}
        className={styles["dismiss"]}
        onClick={onDismiss}
      />
    </div>
  );
}
