import { Drawing } from "../controls/drawing.tsx";
import { chatIcon } from "./chat-icon.ts";
import styles from "./launcher.module.css";
import type { LauncherStrings } from "./launcher-strings.ts";

export interface LauncherProps {
  t: LauncherStrings;
  /** `failed`: the chat did not load. `broken`: it loaded and did not start. */
  state: "idle" | "loading" | "failed" | "broken";
  isOpen: boolean;
  unread: number;
  onOpen(): void;
  ref: React.Ref<HTMLButtonElement>;
}

export function Launcher({ t, state, isOpen, unread, onOpen, ref }: LauncherProps) {
  const unreadText = t.unread.replace("{count}", String(unread));
  return (
    <div className={styles["place"]} hidden={isOpen && state === "idle"}>
      <p className={styles["failure"]} role="status">
        {state === "failed" || state === "broken" ? t[state] : ""}
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
          <span className={styles["badge"]}>
            <span aria-hidden="true">{unread > 99 ? "99+" : unread}</span>
            <span className={styles["hidden"]}>{unreadText}</span>
          </span>
        )}
      </button>
    </div>
  );
}
