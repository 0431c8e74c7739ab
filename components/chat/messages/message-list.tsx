import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ChatEngine } from "../../../lib/engine/chat.ts";
import { listen } from "../../../lib/engine/listen.ts";
import {
  answerableMessageId,
  latestFormMessageId,
  modeOf,
  unreadMessagesOf,
} from "../../../lib/engine/state/selectors.ts";
import type { ConversationState } from "../../../lib/engine/state/state.ts";
import { unlistedRows } from "../../../lib/engine/timeline/timeline.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Button } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { HistoryNote } from "../errors/remedy-note.tsx";
import { Feedback } from "../feedback/feedback.tsx";
import { counted } from "../i18n/strings.ts";
import styles from "./messages.module.css";
import { SlowNote } from "./reply-row.tsx";
import { RowPage, useRowPages } from "./row-page.tsx";
import { type ScrollPosition, useScrollPosition } from "./use-scroll-position.ts";
import { Welcome } from "./welcome.tsx";

export interface MessageListProps {
  isOpen: boolean;
  /** True while another view of the panel covers the list, which keeps its scroll position. */
  isHidden: boolean;
  focusComposer(): void;
}

export function MessageList({ isOpen, isHidden, focusComposer }: MessageListProps) {
  const { chat, t, shop } = useChatContext();
  const state = useConversation();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { place, jumpToEnd } = useScrollPosition(scroller, content);
  const pages = useRowPages();
  const { history } = state;
  const { failure } = history;
  const top = useTopReached(scroller, chat, state);
  useLookedAt(chat, isOpen && !isHidden);
  useSeen(chat, state, isOpen && place === "end" && !isHidden);
  useUnreadInView(scroller, state);
  useSentInView(state, jumpToEnd);

  const answerableId = answerableMessageId(state);
  const latestFormId = latestFormMessageId(state);
  const hasRows = pages.some(({ rows }) => rows.length > 0) || unlistedRows(state).length > 0;
  const isEmpty = !hasRows && history.state === "ready";
  return (
    <div className={styles["listPlace"]} hidden={isHidden}>
      <section
        ref={scroller}
        className={styles["scroller"]}
        data-message-list=""
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the messages (WCAG 2.1.1)
        tabIndex={0}
        aria-label={t.panel.messages}
      >
        <div ref={content} className={styles["list"]}>
          {history.state === "reading" && (
            <p className={styles["notice"]} role="status">
              {t.messages.loadingChat}
            </p>
          )}
          {history.state === "failed" && failure !== null && (
            <HistoryNote failure={failure} retryAt={history.retryAt} />
          )}
          {isEmpty && <Welcome isOpen={isOpen} focusComposer={focusComposer} />}
          {history.hasOlder && (
            <Earlier ref={top} older={history.older} onPress={() => void chat.loadOlder()} />
          )}
          {!isEmpty && history.state === "ready" && !history.hasOlder && shop.disclosure && (
            <p className={styles["notice"]} dir="auto">
              {shop.disclosure.text}
            </p>
          )}
          {/* biome-ignore lint/a11y/useSemanticElements: a list element takes no pages between itself and its entries */}
          <div role="list" className={styles["rows"]}>
            {pages.map(({ number, rows }) => (
              <RowPage
                key={number}
                rows={rows}
                isNewest={number === 0}
                answerableId={answerableId}
                latestFormId={latestFormId}
              />
            ))}
          </div>
          {modeOf(state) === "resolved" && <Feedback messageId={null} />}
          <SlowNote />
        </div>
      </section>
      {place !== "end" && !isEmpty && (
        <JumpToLatest
          isInLatest={place === "last"}
          unread={unreadMessagesOf(state).length}
          onPress={() => jumpToEnd()}
        />
      )}
    </div>
  );
}

interface EarlierProps {
  older: ConversationState["history"]["older"];
  onPress(): void;
  ref: React.Ref<HTMLDivElement>;
}

function Earlier({ older, onPress, ref }: EarlierProps) {
  const { t } = useChatContext();
  const isReading = older === "reading";
  return (
    <div ref={ref} className={styles["earlier"]}>
      <Button look="quiet" aria-disabled={isReading} onClick={() => isReading || onPress()}>
        {isReading ? t.messages.loadingOlder : t.messages.loadOlder}
      </Button>
      {older === "failed" && <p>{t.messages.olderFailed}</p>}
    </div>
  );
}

/** Loads earlier messages when the top of the list comes near. After a failure the customer has a button. */
function useTopReached(
  scroller: React.RefObject<HTMLElement | null>,
  chat: ChatEngine,
  { history }: ConversationState,
) {
  const top = useRef<HTMLDivElement>(null);
  const isWaiting = history.hasOlder && history.older === "idle";
  useEffect(() => {
    // Without observers the customer has the button.
    if (top.current === null || !isWaiting || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy browser reports several changes at once, the latest last.
        if (entries.at(-1)?.isIntersecting) void chat.loadOlder();
      },
      { root: scroller.current, rootMargin: "3000px 0px 0px 0px" },
    );
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [scroller, chat, isWaiting]);
  return top;
}

/**
 * Moves the unread mark when the customer returns. It must precede `useSeen`, which marks all messages as
 * read.
 */
function useLookedAt(chat: ChatEngine, isOnScreen: boolean): void {
  useEffect(() => (isOnScreen ? whileVisible(chat.markLookedAt) : undefined), [chat, isOnScreen]);
}

/** Acts now and whenever the page is shown again, if it is visible. Returns a function that stops. */
function whileVisible(act: () => void): () => void {
  const look = () => {
    if (document.visibilityState === "visible") act();
  };
  look();
  return listen(document, "visibilitychange", look);
}

/** Messages of the agent and the team count as read while the end is on screen and the page is visible. */
function useSeen(chat: ChatEngine, state: ConversationState, isLooking: boolean): void {
  const hasUnread = unreadMessagesOf(state).length > 0;
  // The last message of the agent or the team, not the customer's: a teammate's message may still arrive
  // above the latter.
  const lastId = hasUnread ? state.messages.findLast(({ role }) => role !== "visitor")?.id : undefined;
  useEffect(() => {
    const isSeen = lastId !== undefined && isLooking;
    return isSeen ? whileVisible(() => chat.markSeen(lastId)) : undefined;
  }, [chat, lastId, isLooking]);
}

/** If the unread messages do not fit, the chat opens at the first of them. */
function useUnreadInView(scroller: React.RefObject<HTMLElement | null>, state: ConversationState): void {
  const isReady = state.history.state === "ready";
  const { unreadAfterId } = state;
  useLayoutEffect(() => {
    const list = scroller.current;
    const mark = isReady && unreadAfterId !== null ? list?.querySelector("[data-unread-mark]") : null;
    if (!list || !mark) return;
    const isAbove = mark.getBoundingClientRect().top < list.getBoundingClientRect().top;
    if (isAbove) mark.scrollIntoView({ block: "start" });
  }, [scroller, isReady, unreadAfterId]);
}

/** Sending scrolls to the end, so that the customer sees the outcome. */
function useSentInView({ pending }: ConversationState, jumpToEnd: ScrollPosition["jumpToEnd"]): void {
  const lastSent = pending.at(-1)?.record.createdAt ?? 0;
  const [openedAt] = useState(Date.now);
  const latest = useRef(openedAt);
  useLayoutEffect(() => {
    if (lastSent <= latest.current) return;
    latest.current = lastSent;
    jumpToEnd("instant");
  }, [lastSent, jumpToEnd]);
}

export interface JumpToLatestProps {
  /** True while the latest message is in view, whose end is not. */
  isInLatest: boolean;
  unread: number;
  onPress(): void;
}

export function JumpToLatest({ isInLatest, unread, onPress }: JumpToLatestProps) {
  const { t, format } = useChatContext();
  const place = isInLatest ? t.messages.moreBelow : t.messages.jumpToLatest;
  const name = unread > 0 ? `${counted(t.messages.newBelow, unread, format)}: ${place}` : place;
  return (
    <button type="button" className={styles["jump"]} aria-label={name} title={name} onClick={onPress}>
      {unread > 0 && format.number(unread)}
      <Icon name="down" />
    </button>
  );
}
