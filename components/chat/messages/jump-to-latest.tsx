import { useChat } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { counted } from "../i18n/strings.ts";
import styles from "./messages.module.css";

export function JumpToLatest({ unread, onPress }: { unread: number; onPress(): void }) {
  const { t, format } = useChat();
  return (
    <button type="button" className={styles["jump"]} onClick={onPress}>
      <Icon name="down" />
      {unread > 0 ? (
        <>
          {counted(t.messages.newBelow, unread, format)} <Hidden>{t.messages.jumpToLatest}</Hidden>
        </>
      ) : (
        t.messages.jumpToLatest
      )}
    </button>
  );
}
