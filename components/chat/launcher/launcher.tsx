import { Drawing } from "../controls/drawing.tsx";
import type { LauncherStrings } from "../i18n/language.ts";
import styles from "./launcher.module.css";
import { chatIcon, showOnTop } from "./place.ts";

/** Messages that the customer has not seen: how many, and in words. */
export interface Unread {
  count: number;
  text: string;
}

export const noUnread: Unread = { count: 0, text: "" };

export interface LauncherProps {
  t: LauncherStrings;
  isLoading: boolean;
  /** The next press tries again. */
  hasFailed: boolean;
  isOpen: boolean;
  unread: Unread;
  onOpen(): void;
  onReload(): void;
  ref: React.Ref<HTMLButtonElement>;
}

export function Launcher({ t, isLoading, hasFailed, isOpen, unread, ref, ...on }: LauncherProps) {
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
        {/* Without a network, a reload would lose the page. */}
        {hasFailed && navigator.onLine && (
          <button type="button" onClick={on.onReload}>
            {t.reload}
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
        onClick={on.onOpen}
      >
        <Drawing path={chatIcon} size={24} />
        <span className={styles["label"]}>{isLoading ? t.opening : t.open}</span>
        {unread.count > 0 && (
          <span className={styles["badge"]} role="img" aria-label={unread.text}>
            {unread.count > 99 ? "99+" : unread.count}
          </span>
        )}
      </button>
    </div>
  );
}
