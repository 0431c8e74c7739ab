import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { latestFormMessageId, unreadCountOf } from "#lib/conversation/selectors.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { lazyPart } from "../controls/lazy-part.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { Chunk } from "./chunk.tsx";
import { JumpToLatest } from "./jump-to-latest.tsx";
import styles from "./messages.module.css";
import { useChunks } from "./use-chunks.ts";
import { type ScrollPosition, useScrollPosition } from "./use-scroll-position.ts";
import { Welcome } from "./welcome.tsx";

const Reveal = lazyPart(() => import("./reveal.tsx"));

/** So many chunks cost nothing worth saving. */
const shortList = 4;

export interface MessageListProps {
  runtime: ChatRuntime;
  state: ConversationState;
  isOpen: boolean;
  /** Behind another view of the panel; it keeps its place. */
  isHidden: boolean;
  /** The message to bring into view; null for none. */
  revealedId: string | null;
  focusComposer(): void;
}

export function MessageList({
  runtime,
  state,
  isOpen,
  isHidden,
  revealedId,
  focusComposer,
}: MessageListProps) {
  const { t } = useChat();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, jumpToEnd, holdPlace } = useScrollPosition(scroller, content);
  const { chunks, undrawn, hasAbove, showEarlier, showMessage } = useChunks(scroller, runtime, state);
  const { history } = state;
  const top = useTopReached(scroller, history.older === "failed" ? null : showEarlier);
  useLookedAt(runtime, isOpen && !isHidden);
  useSeen(runtime, state, isOpen && isAtEnd && !isHidden);
  useUnreadInView(scroller, state);
  useSentInView(state, jumpToEnd);

  const hasEarlier = hasAbove || history.hasOlder;
  const lastId = state.pending.length === 0 ? (state.messages.at(-1)?.id ?? null) : null;
  const latestFormId = latestFormMessageId(state);
  const isEmpty = chunks.length === 0 && history.state === "ready";
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
          {history.state === "reading" && <Skeleton label={t.messages.loadingChat} />}
          {history.state === "failed" && history.failure !== null && (
            <RemedyNote
              failure={history.failure}
              onPress={(button) =>
                button === "new_chat" ? runtime.open(null, runtime.getDraft()) : runtime.reload()
              }
            />
          )}
          {isEmpty && <Welcome runtime={runtime} focusComposer={focusComposer} />}
          {hasEarlier && (
            <div ref={top} className={styles["earlier"]}>
              <Button
                look="quiet"
                aria-disabled={history.older === "reading"}
                onClick={() => history.older === "reading" || showEarlier()}
              >
                {history.older === "reading" ? t.messages.loadingOlder : t.messages.loadOlder}
              </Button>
              {history.older === "failed" && <p>{t.messages.olderFailed}</p>}
            </div>
          )}
          {/* biome-ignore lint/a11y/useSemanticElements: a list element takes no chunks between itself and its entries */}
          <div role="list" className={styles["rows"]} data-long={chunks.length > shortList}>
            {chunks.map((chunk, index) => (
              <Chunk
                key={chunk.id}
                chunk={chunk}
                runtime={runtime}
                isDrawn={!undrawn.has(chunk.id)}
                lastId={index === chunks.length - 1 ? lastId : null}
                latestFormId={chunk.rows.some(({ id }) => id === latestFormId) ? latestFormId : null}
              />
            ))}
          </div>
        </div>
      </section>
      {revealedId !== null && (
        <Reveal scroller={scroller} messageId={revealedId} showMessage={showMessage} holdPlace={holdPlace} />
      )}
      {!isAtEnd && <JumpToLatest unread={unreadCountOf(state)} onPress={() => jumpToEnd()} />}
    </div>
  );
}

/** Calls `showEarlier` when the top of the list comes near; null for not at all. */
function useTopReached(scroller: React.RefObject<HTMLElement | null>, showEarlier: (() => void) | null) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (top.current === null || showEarlier === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) showEarlier();
      },
      { root: scroller.current, rootMargin: "1500px 0px 0px 0px" },
    );
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [scroller, showEarlier]);
  return top;
}

/** Coming back to the panel or the page; before `useSeen`, which counts all as read. */
function useLookedAt(runtime: ChatRuntime, isOnScreen: boolean): void {
  useEffect(() => {
    if (!isOnScreen) return;
    const look = () => {
      if (document.visibilityState === "visible") runtime.markLookedAt();
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [runtime, isOnScreen]);
}

/** The last message counts as read while it is on screen and the page is looked at. */
function useSeen(runtime: ChatRuntime, state: ConversationState, isLooking: boolean): void {
  const lastId = state.messages.at(-1)?.id;
  useEffect(() => {
    if (lastId === undefined || !isLooking) return;
    const see = () => {
      if (document.visibilityState === "visible") runtime.markSeen(lastId);
    };
    see();
    document.addEventListener("visibilitychange", see);
    return () => document.removeEventListener("visibilitychange", see);
  }, [runtime, lastId, isLooking]);
}

/** Opening a chat with more unread messages than fit begins at the first of them. */
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

/** Who sends wants to see what becomes of it, wherever they were reading. */
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

function Skeleton({ label }: { label: string }) {
  return (
    <div className={styles["skeleton"]} role="status">
      <p>{label}</p>
      <i data-side="end" />
      <i />
      <i data-side="end" />
      <i />
    </div>
  );
}
