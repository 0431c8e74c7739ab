import { useChatContext } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { counted } from "../i18n/strings.ts";
import styles from "./messages.module.css";

export interface JumpToLatestProps {
  /** True while the latest message is in view, whose end is not. */
  isInLatest: boolean;
  unread: number;
  onPress(): void;
}

export function JumpToLatest({ isInLatest, unread, onPress }: JumpToLatestProps) {
  const { t, format } = useChatContext();
  const news = unread > 0 ? counted(t.messages.newBelow, unread, format) : isInLatest && t.messages.moreBelow;
  return (
    <button type="button" className={styles["jump"]} onClick={onPress}>
      <Icon name="down" />
      {news}
      {!isInLatest && <Hidden>{t.messages.jumpToLatest}</Hidden>}
    </button>
  );
}
