import { modeOf } from "#lib/conversation/selectors.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { useChat } from "../chat-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { fill, type Strings } from "../i18n/strings.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { Avatar } from "./avatar.tsx";
import styles from "./panel.module.css";

export interface PanelHeaderProps {
  runtime: ChatRuntime;
  state: ConversationState;
  titleId: string;
  onClose(): void;
}

export function PanelHeader({ runtime, state, titleId, onClose }: PanelHeaderProps) {
  const { t, shop } = useChat();
  const mode = modeOf(state);
  const teammate = mode === "teammate" ? (state.chat?.teammate?.name ?? null) : null;
  return (
    <div className={styles["header"]}>
      <Avatar name={teammate ?? shop.agentName} isPerson={teammate !== null} size="large" />
      <div className={styles["heading"]}>
        <h2 id={titleId} className={styles["title"]} tabIndex={-1} data-panel-title="">
          <bdi>{teammate ?? shop.agentName}</bdi>
          <span className={styles["shop"]}>
            <bdi>{shop.shopName}</bdi>
          </span>
        </h2>
        <p className={styles["status"]} data-mode={mode}>
          {statusText(t, mode, teammate)}
        </p>
      </div>
      <IconButton
        label={t.panel.newChat}
        icon={<Icon name="plus" />}
        onClick={() => runtime.open(null, runtime.getDraft())}
      />
      <IconButton label={t.panel.close} icon={<Icon name="close" />} onClick={onClose} />
    </div>
  );
}

function statusText(t: Strings, mode: ReturnType<typeof modeOf>, teammate: string | null): string {
  switch (mode) {
    case "agent":
      return t.panel.statusAgent;
    case "waiting":
      return t.panel.statusWaiting;
    case "teammate":
      return fill(t.panel.statusTeammate, { name: teammate ?? "" });
    case "resolved":
      return t.panel.statusResolved;
  }
}
