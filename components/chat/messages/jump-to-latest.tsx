import { useChat } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { counted } from "../i18n/strings.ts";
import styles from "./messages.module.css";

export function JumpToLatest({ unread, onPress }: { unread: number; onPress(): void }) {
  const { t, format } = useChat();
  return (
    <button type="button" className={styles["jump"]} onClick={onPress} aria-label={t.messages.jumpToLatest}>
      {unread > 0 && <span>{counted(t.messages.newBelow, unread, format)}</span>}
      <Icon name="down" />
    </button>
  );
}
