import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { takesMessages } from "../../../lib/engine/state/selectors.ts";
import type { ConversationState } from "../../../lib/engine/state/state.ts";
import { useChat } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import styles from "./panel.module.css";

export interface StatusBarProps {
  runtime: ChatRuntime;
  state: ConversationState;
  isOnline: boolean;
}

/** One quiet line below the header for the state of the whole chat. */
export function StatusBar({ runtime, state, isOnline }: StatusBarProps) {
  const { t } = useChat();
  const text = !isOnline
    ? t.composer.offline
    : state.syncFailure !== null && takesMessages(state)
      ? state.syncFailure.code === "page_error"
        ? t.problems.pageError
        : t.problems.reconnecting
      : state.isRestarted
        ? t.problems.chatRestarted
        : runtime.isLasting()
          ? null
          : t.problems.storageOff;
  return (
    <div role="status">
      {text !== null && (
        <p className={styles["statusBar"]}>
          <Icon name="warning" size={16} />
          {text}
        </p>
      )}
    </div>
  );
}
