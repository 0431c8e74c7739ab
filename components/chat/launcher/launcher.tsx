import { Drawing } from "../controls/drawing.tsx";
import type { LauncherStrings } from "../i18n/language.ts";
import { chatIcon } from "./chat-icon.ts";
import styles from "./launcher.module.css";
import { showOnTop } from "./top-layer.ts";

/** Messages that the customer has not seen: how many, and in words. */
export interface Unread {
  count: number;
  text: string;
}

export const noUnread: Unread = { count: 0, text: "" };

/** A file is asked for again; after a second failure only the page's new files help. */
export type LoadRemedy = "tryAgain" | "reload";

export interface LauncherProps {
  t: LauncherStrings;
  isLoading: boolean;
  /** What helps after a failure; null without one. */
  remedy: LoadRemedy | null;
  isOpen: boolean;
  unread: Unread;
  onOpen(): void;
  onReload(): void;
  ref: React.Ref<HTMLButtonElement>;
}

export function Launcher({ t, isLoading, remedy, isOpen, unread, ref, ...on }: LauncherProps) {
  return (
    // A new function for each rendering, because an element that its page moves leaves the top layer.
    <div
      ref={(place) => showOnTop(place)}
      className={styles["place"]}
      popover="manual"
      hidden={isOpen && remedy === null}
    >
      <p className={styles["failure"]} role="status">
        {remedy && `${t.failed} `}
        {remedy && (
          <button type="button" onClick={remedy === "reload" ? on.onReload : on.onOpen}>
            {t[remedy]}
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
