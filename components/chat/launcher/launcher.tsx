import { Drawing } from "../controls/drawing.tsx";
import type { LauncherStrings } from "../i18n/language.ts";
import { chatIcon } from "./chat-icon.ts";
import styles from "./launcher.module.css";
import { showOnTop } from "./top-layer.ts";

export interface LauncherProps {
  t: LauncherStrings;
  /** The language of `t`, for its plural forms. */
  tag: string;
  isLoading: boolean;
  hasFailed: boolean;
  isOpen: boolean;
  unread: number;
  onOpen(): void;
  ref: React.Ref<HTMLButtonElement>;
}

export function Launcher({ t, tag, isLoading, hasFailed, isOpen, unread, onOpen, ref }: LauncherProps) {
  const { unread: texts } = t;
  const unreadText =
    typeof texts === "string" ? texts : (texts[new Intl.PluralRules(tag).select(unread)] ?? texts.other);
  return (
    // A new function for each rendering, because an element that its page moves leaves the top layer.
    <div
      ref={(place) => showOnTop(place)}
      className={styles["place"]}
      popover="manual"
      hidden={isOpen && !hasFailed}
    >
      <p className={styles["failure"]} role="status">
        {hasFailed && `${t.failed} `}
        {hasFailed && (
          <button type="button" onClick={onOpen}>
            {t.tryAgain}
          </button>
        )}
      </p>
      <button
        ref={ref}
        type="button"
        className={styles["launcher"]}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-busy={isLoading}
        onClick={onOpen}
      >
        <Drawing path={chatIcon} size={24} />
        <span className={styles["label"]}>{isLoading ? t.opening : t.open}</span>
        {unread > 0 && (
          <span
            className={styles["badge"]}
            role="img"
            aria-label={unreadText.replace("{count}", `${unread}`)}
          >
            {unread > 99 ? "99+" : unread}
          </span>
        )}
      </button>
    </div>
  );
}
