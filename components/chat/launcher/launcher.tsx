import { Drawing } from "../controls/drawing.tsx";
import type { LauncherStrings } from "../i18n/language.ts";
import { chatIcon } from "./chat-icon.ts";
import styles from "./launcher.module.css";

export interface LauncherProps {
  t: LauncherStrings;
  state: "idle" | "loading" | "failed";
  isOpen: boolean;
  unread: number;
  onOpen(): void;
  ref: React.Ref<HTMLButtonElement>;
}

export function Launcher({ t, state, isOpen, unread, onOpen, ref }: LauncherProps) {
  const unreadText = t.unread.replace("{count}", `${unread}`);
  return (
    <div className={styles["place"]} hidden={isOpen && state === "idle"}>
      <p className={styles["failure"]} role="status">
        {state === "failed" && (
          <>
            {t.failed}{" "}
            <button type="button" onClick={onOpen}>
              {t.tryAgain}
            </button>
          </>
        )}
      </p>
      <button
        ref={ref}
        type="button"
        className={styles["launcher"]}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-busy={state === "loading"}
        onClick={onOpen}
      >
        <Drawing path={chatIcon} size={24} />
        <span className={styles["label"]}>{state === "loading" ? t.opening : t.open}</span>
        {unread > 0 && (
          <span className={styles["badge"]} role="img" aria-label={unreadText}>
            {unread > 99 ? "99+" : unread}
          </span>
        )}
      </button>
    </div>
  );
}
