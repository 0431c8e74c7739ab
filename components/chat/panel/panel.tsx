import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { errorRules } from "../../../lib/chat-api/errors.ts";
import type { ConversationState } from "../../../lib/engine/state/state.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Composer } from "../composer/composer.tsx";
import { hasOnScreenKeyboard, useOnline } from "../controls/browser.ts";
import { Button } from "../controls/buttons.tsx";
import { Contained } from "../crash-boundary.tsx";
import { WaitingBanner } from "../handoff/waiting-banner.tsx";
import { PreviousChats } from "../menu/previous-chats.tsx";
import { MessageList } from "../messages/message-list.tsx";
import { Announcements } from "./announcements.tsx";
import styles from "./panel.module.css";
import { PanelHeader, StatusBar } from "./panel-header.tsx";
import { useChatDialog } from "./use-chat-dialog.ts";
import { useFileDrop } from "./use-file-drop.ts";
import { useFocusBack, useFocusKept } from "./use-focus.ts";

export interface PanelProps {
  isOpen: boolean;
  /** False if the panel is a part of the page, which is always open. */
  isFloating: boolean;
  /** Counts the page's requests. */
  asked: number;
  /** The focus or a press has reached a panel that is a part of the page. */
  onUse(): void;
  onClose(): void;
}

export function Panel({ isOpen, isFloating, asked, onUse, onClose }: PanelProps) {
  const { chat: engine, t } = useChatContext();
  const state = useConversation();
  const { chat } = state;
  const titleId = useId();
  const panel = useRef<HTMLElement>(null);
  // Either a `dialog` or a `section`.
  const setPanel = useCallback((element: HTMLElement | null) => {
    panel.current = element;
  }, []);
  const composer = useRef<HTMLTextAreaElement>(null);
  const isPhone = useChatDialog(panel, composer, isOpen, asked, onClose);
  const [isLarge, setLarge] = useState(() => engine.preferences().isLarge);
  const resize = () => {
    engine.setPreferences({ ...engine.preferences(), isLarge: !isLarge });
    setLarge(!isLarge);
  };
  const { isDragging, dropTarget } = useFileDrop(engine.attach);
  /** The conversation over which the customer has opened the list of earlier chats. */
  const [listedOver, setListedOver] = useState<string | null>(null);
  const isListShown = listedOver === state.createKey;
  // The customer may return to that conversation.
  if (listedOver !== null && !isListShown) setListedOver(null);
  const showChat = useCallback(() => setListedOver(null), []);
  useFocusBack(panel, composer, isListShown, state.createKey);
  const focusComposer = useCallback(() => {
    const find = (selector: string) => panel.current?.querySelector<HTMLElement>(selector);
    const raisesKeyboard = composer.current !== null && hasOnScreenKeyboard();
    // A closed chat has a button in the composer's place. A keyboard would cover the conversation.
    const field = raisesKeyboard ? null : (composer.current ?? find("[data-composer] button"));
    (field ?? find("section[tabindex]"))?.focus({ preventScroll: true });
  }, []);
  useFocusKept(panel, isOpen, focusComposer);
  useRequestsInPage(panel, asked, isFloating, focusComposer);
  // The list above the conversation is the inner layer, so it closes first.
  const closeInnermost = isListShown || !isFloating ? showChat : onClose;
  // On a phone the open panel would cover the page that a link or the help's search opens in this tab.
  const onLeave = ({ type, target }: SyntheticEvent) => {
    const opens = type === "submit" ? "form[action]" : "a:not([target],[href^=mailto],[href^=tel])";
    if (isPhone && target instanceof Element && target.closest(opens)) onClose();
  };

  const onKeyDown = ({ key, currentTarget, nativeEvent }: KeyboardEvent) => {
    // A modal dialog handles Escape natively.
    if (key === "Escape" && !currentTarget.matches(":modal") && !nativeEvent.isComposing) closeInnermost();
  };
  const common = { ref: setPanel, "data-panel": "", ...dropTarget };
  const content = (
    <>
      {isDragging && <p className={styles["drop"]}>{t.files.dropHere}</p>}
      <PanelHeader
        titleId={titleId}
        onPreviousChats={() => setListedOver(state.createKey)}
        floating={isFloating ? { isLarge, onResize: resize, onClose } : null}
      />
      <StatusBar isOnline={useOnline()} />
      {chat !== null && (
        <Contained>
          <WaitingBanner chat={chat} />
        </Contained>
      )}
      {isListShown && (
        <Contained
          fallback={
            <p role="alert">
              {t.problems.pageError}{" "}
              <Button look="link" onClick={showChat}>
                {t.chats.back}
              </Button>
            </p>
          }
        >
          <PreviousChats onClose={showChat} />
        </Contained>
      )}
      <MessageList
        isHidden={isListShown}
        key={state.createKey}
        isOpen={isOpen}
        focusComposer={focusComposer}
      />
      {!hasOwnRemedy(state) && (
        // The composer stays mounted behind the list of chats so that uploads continue.
        <div hidden={isListShown}>
          <Composer ref={composer} />
        </div>
      )}
      <Contained fallback={null}>
        <Announcements isOpen={isOpen} />
      </Contained>
    </>
  );
  if (!isFloating)
    return (
      <section
        {...common}
        aria-labelledby={titleId}
        className={`${styles["panel"]} ${styles["inPage"]}`}
        onFocus={onUse}
        onPointerDown={onUse}
        onKeyDown={onKeyDown}
      >
        {content}
      </section>
    );
  return (
    <dialog
      {...common}
      aria-labelledby={titleId}
      className={`${styles["panel"]} ${styles["floating"]}`}
      data-large={isLarge}
      popover="manual"
      onCancel={(event) => {
        // React bubbles this event from the lightbox, which handles it itself.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        closeInnermost();
      }}
      onKeyDown={onKeyDown}
      onSubmit={onLeave}
      onClick={onLeave}
    >
      {content}
    </dialog>
  );
}

/** A request of the page brings a panel that is a part of the page into view, and gives it the focus. */
function useRequestsInPage(
  panel: RefObject<HTMLElement | null>,
  asked: number,
  isFloating: boolean,
  focusComposer: () => void,
): void {
  useEffect(() => {
    if (isFloating || asked === 0) return;
    panel.current?.scrollIntoView({ block: "nearest" });
    focusComposer();
  }, [panel, asked, isFloating, focusComposer]);
}

/** True if the chat cannot be shown and the note in its place has the one button that helps. */
function hasOwnRemedy({ history }: ConversationState): boolean {
  const { state, failure } = history;
  return state === "failed" && failure !== null && errorRules[failure.code].ends === "gone";
}
