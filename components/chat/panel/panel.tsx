import { lazy, useCallback, useEffect, useId, useRef } from "react";
import type { Chat } from "#lib/chat-api/chat.ts";
import { closedBy, modeOf } from "#lib/conversation/selectors.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { useChat } from "../chat-context.ts";
import { Composer } from "../composer/composer.tsx";
import { LazyPart } from "../controls/lazy-part.tsx";
import { MessageList } from "../messages/message-list.tsx";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { Announcements } from "./announcements.tsx";
import styles from "./panel.module.css";
import { PanelHeader } from "./panel-header.tsx";
import { StatusBar } from "./status-bar.tsx";
import { useChatDialog } from "./use-chat-dialog.ts";
import { useFileDrop } from "./use-file-drop.ts";
import { useVisibleHeight } from "./use-visible-height.ts";

const WaitingBanner = lazy(() => import("../handoff/waiting-banner.tsx"));

export interface PanelProps {
  runtime: ChatRuntime;
  state: ConversationState;
  isOpen: boolean;
  onClose(): void;
}

export function Panel({ runtime, state, isOpen, onClose }: PanelProps) {
  const { t } = useChat();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  const isModal = useChatDialog(dialog, composer, isOpen);
  useVisibleHeight(dialog, isModal);

  const { isDragging, dropped, dropTarget } = useFileDrop();

  const focusComposer = useCallback(() => composer.current?.focus(), []);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    // Escape in a modal dialog; a non-modal one leaves the key to us.
    const onCancel = (event: Event) => {
      event.preventDefault();
      onClose();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) onClose();
    };
    element.addEventListener("cancel", onCancel);
    element.addEventListener("keydown", onKey);
    return () => {
      element.removeEventListener("cancel", onCancel);
      element.removeEventListener("keydown", onKey);
    };
  }, [onClose]);

  return (
    <dialog ref={dialog} className={styles["panel"]} aria-labelledby={titleId} {...dropTarget}>
      {isDragging && <p className={styles["drop"]}>{t.attachments.dropHere}</p>}
      <PanelHeader runtime={runtime} state={state} titleId={titleId} onClose={onClose} />
      <StatusBar runtime={runtime} state={state} />
      {state.chat !== null && needsBanner(state.chat) && (
        <LazyPart>
          <WaitingBanner runtime={runtime} chat={state.chat} />
        </LazyPart>
      )}
      <MessageList
        key={state.createKey}
        runtime={runtime}
        state={state}
        isOpen={isOpen}
        focusComposer={focusComposer}
      />
      <Composer
        ref={composer}
        runtime={runtime}
        state={state}
        isTeam={modeOf(state) !== "agent"}
        closed={closedBy(state)}
        dropped={dropped}
      />
      <Announcements state={state} isOpen={isOpen} />
    </dialog>
  );
}

/** While the team is waited for, and after that came to nothing. */
function needsBanner({ mode, handoff }: Chat): boolean {
  return mode === "waiting" || (mode === "agent" && handoff?.status === "failed");
}
