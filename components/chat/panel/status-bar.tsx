import { takesMessages } from "../../../lib/engine/state/selectors.ts";
import { useChatContext, useChatState, useConversation } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import styles from "./panel.module.css";

/** One quiet line below the header for the state of the whole chat. */
export function StatusBar({ isOnline }: { isOnline: boolean }) {
  const { chat, t } = useChatContext();
  const state = useConversation();
  const isLasting = useChatState(chat, (all) => all.isLasting);
  const text = !isOnline
    ? t.composer.offline
    : state.syncFailure !== null && takesMessages(state)
      ? state.syncFailure.code === "page_error"
        ? t.problems.pageError
        : t.problems.reconnecting
      : state.isRestarted
        ? t.problems.chatRestarted
        : isLasting
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
