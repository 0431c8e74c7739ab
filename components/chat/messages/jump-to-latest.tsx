import { useChatContext } from "../chat-context.ts";
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
  const place = isInLatest ? t.messages.moreBelow : t.messages.jumpToLatest;
  const name = unread > 0 ? `${counted(t.messages.newBelow, unread, format)}: ${place}` : place;
  return (
    <button type="button" className={styles["jump"]} aria-label={name} title={name} onClick={onPress}>
      {unread > 0 && format.number(unread)}
      <Icon name="down" />
    </button>
  );
}
