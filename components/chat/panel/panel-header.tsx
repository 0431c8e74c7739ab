import { useRef, useState } from "react";
import { modeOf, takesMessages } from "../../../lib/engine/state/selectors.ts";
import { teammateName } from "../author-name.ts";
import { useChatContext, useChatState, useConversation } from "../chat-context.ts";
import { Avatar } from "../controls/avatar.tsx";
import { IconButton } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { Contained } from "../crash-boundary.tsx";
import { ChatMenu } from "../menu/chat-menu.tsx";
import styles from "./panel.module.css";

export interface PanelHeaderProps {
  titleId: string;
  onPreviousChats(): void;
  /** Null for a panel that is a part of the page. */
  floating: Floating | null;
}

export interface Floating {
  isLarge: boolean;
  onResize(): void;
  onClose(): void;
}

export function PanelHeader({ titleId, onPreviousChats, floating }: PanelHeaderProps) {
  const { chat, t, shop } = useChatContext();
  const state = useConversation();
  const mode = modeOf(state);
  const isEmpty = state.messages.length === 0 && state.pending.length === 0;
  const menuButton = useRef<HTMLButtonElement>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const closeMenu = () => {
    // A focus inside the menu would be lost with its items. A focus elsewhere stays.
    const button = menuButton.current;
    if (button?.parentElement?.querySelector("[role=menu]:focus-within")) button.focus();
    setMenuOpen(false);
  };
  const teammate = mode === "teammate" ? teammateName(state.chat, t) : null;

  const statuses = {
    agent: t.panel.statusAgent,
    waiting: t.panel.statusWaiting,
    teammate: t.panel.statusTeammate,
    resolved: t.panel.statusResolved,
  };

  return (
    <div className={styles["header"]}>
      <Avatar name={teammate ?? shop.agentName} isPerson={teammate !== null} size="large" />
      <div className={styles["heading"]}>
        <h2 id={titleId} className={styles["title"]} tabIndex={-1} data-panel-title="">
          <bdi>{teammate ?? shop.agentName}</bdi>
          <span className={styles["shop"]} dir="auto">
            {shop.shopName}
          </span>
        </h2>
        <p className={styles["status"]} data-mode={state.history.state === "failed" ? "unavailable" : mode}>
          <bdi>{(mode === "agent" && shop.disclosure?.label) || statuses[mode]}</bdi>
        </p>
      </div>
      {/* A chat that has ended offers a new one in place of the field. */}
      {takesMessages(state) && (
        <IconButton
          label={t.buttons.new_chat}
          icon={<Icon name="plus" />}
          aria-disabled={isEmpty}
          onClick={() => isEmpty || chat.newChat()}
        />
      )}
      <IconButton
        ref={menuButton}
        label={t.panel.menu}
        icon={<Icon name="more" />}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={() => setMenuOpen(!isMenuOpen)}
      />
      {floating !== null && (
        <>
          <IconButton
            label={t.panel.enlarge}
            icon={<Icon name="enlarge" />}
            aria-pressed={floating.isLarge}
            className={styles["resize"]}
            onClick={floating.onResize}
          />
          <IconButton label={t.panel.close} icon={<Icon name="close" />} onClick={floating.onClose} />
        </>
      )}
      {isMenuOpen && (
        <Contained>
          <ChatMenu
            onPreviousChats={() => {
              setMenuOpen(false);
              onPreviousChats();
            }}
            onClose={closeMenu}
          />
        </Contained>
      )}
    </div>
  );
}

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
