import { type RefObject, useEffect } from "react";
import { useChatContext } from "../chat-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { showOnTop } from "../launcher/top-layer.ts";
import styles from "./greeting.module.css";

export interface GreetingBubbleProps {
  ref?: RefObject<HTMLDivElement | null>;
  text: string;
  isHidden: boolean;
  onOpen(): void;
  onDismiss(): void;
}

/** A bubble above the chat's button. Its text opens the chat. */
export function GreetingBubble({ ref, text, isHidden, onOpen, onDismiss }: GreetingBubbleProps) {
  const { t } = useChatContext();
  useEffect(() => showOnTop(ref?.current ?? null), [ref]);
  return (
    <div ref={ref} className={styles["greeting"]} popover="manual" data-hidden={isHidden}>
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
