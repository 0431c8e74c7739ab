import { useCallback, useRef, useState } from "react";
import { modeOf } from "#lib/conversation/selectors.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { teammateName } from "../author-name.ts";
import { useChat } from "../chat-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { lazyPart } from "../controls/lazy-part.tsx";
import { fill, type Strings } from "../i18n/strings.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { Avatar } from "./avatar.tsx";
import styles from "./panel.module.css";

const ChatMenu = lazyPart(() => import("../menu/chat-menu.tsx"));

/** What the panel shows: the conversation, with a search bar above it, or the list of earlier ones. */
export type PanelView = "chat" | "search" | "previous";

export interface PanelHeaderProps {
  runtime: ChatRuntime;
  state: ConversationState;
  titleId: string;
  onView(view: PanelView): void;
  onClose(): void;
}

export function PanelHeader({ runtime, state, titleId, onView, onClose }: PanelHeaderProps) {
  const { t, shop } = useChat();
  const mode = modeOf(state);
  const isEmpty = state.messages.length === 0 && state.pending.length === 0;
  const menuButton = useRef<HTMLButtonElement>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const closeMenu = useCallback(() => {
    // Its items go away: a focus among them would be lost. One that is elsewhere already stays there.
    if (document.activeElement?.closest("[role=menu]")) menuButton.current?.focus();
    setMenuOpen(false);
  }, []);
  const teammate = mode === "teammate" ? teammateName(state.chat, t) : null;

  function show(view: PanelView): void {
    setMenuOpen(false);
    onView(view);
  }

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
        aria-disabled={isEmpty}
        onClick={() => isEmpty || runtime.open(null, { ...runtime.getDraft(), files: [] })}
      />
      <IconButton
        ref={menuButton}
        label={t.panel.menu}
        icon={<Icon name="more" />}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={() => setMenuOpen(!isMenuOpen)}
      />
      <IconButton label={t.panel.close} icon={<Icon name="close" />} onClick={onClose} />
      {isMenuOpen && (
        <ChatMenu
          runtime={runtime}
          onSearch={() => show("search")}
          onPreviousChats={() => show("previous")}
          onClose={closeMenu}
        />
      )}
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
