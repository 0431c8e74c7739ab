import { useChat } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { counted } from "../i18n/strings.ts";
import styles from "./messages.module.css";

export function JumpToLatest({ unread, onPress }: { unread: number; onPress(): void }) {
  const { t, format } = useChat();
  return (
    <button type="button" className={styles["jump"]} onClick={onPress}>
      {unread > 0 && <span>{counted(t.messages.newBelow, unread, format)}</span>}
      <Hidden>{t.messages.jumpToLatest}</Hidden>
      <Icon name="down" />
    </button>
  );
}
