import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { conversationLimits } from "#lib/conversation/limits.ts";
import { latestFormMessageId, unreadCountOf } from "#lib/conversation/selectors.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { timelineOf } from "#lib/conversation/timeline.ts";
import { useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { JumpToLatest } from "./jump-to-latest.tsx";
import styles from "./messages.module.css";
import { TimelineRowView } from "./timeline-row.tsx";
import { useScrollPosition } from "./use-scroll-position.ts";
import { Welcome } from "./welcome.tsx";

const { windowStep } = conversationLimits;

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
  const { t, format } = useChat();
  const scroller = useRef<HTMLDivElement>(null);
  const { isAtEnd, jumpToEnd } = useScrollPosition(scroller, state);
  const { from, showEarlier, showFrom } = useWindow(runtime, state, isAtEnd);
  const { rows } = useMemo(() => timelineOf(state, format.dayKey, from), [state, format, from]);
  const top = useTopReached(scroller, showEarlier);
  useSeen(runtime, state, isOpen && isAtEnd && !isHidden);
  useUnreadInView(scroller, state);
  useRevealed(scroller, state, revealedId, showFrom);

  const { history } = state;
  const hasEarlier = from > 0 || history.hasOlder;
  const lastMessageId = state.messages.at(-1)?.id;
  const latestFormId = latestFormMessageId(state);
  const isEmpty = rows.length === 0 && history.state === "ready";
  return (
    <div className={styles["listPlace"]} hidden={isHidden}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the messages (WCAG 2.1.1) */}
      <section ref={scroller} className={styles["scroller"]} tabIndex={0} aria-label={t.panel.messages}>
        <div className={styles["list"]}>
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
              <Button look="quiet" onClick={showEarlier} disabled={history.older === "reading"}>
                {history.older === "reading" ? t.messages.loadingOlder : t.messages.loadOlder}
              </Button>
              {history.older === "failed" && <p>{t.messages.olderFailed}</p>}
            </div>
          )}
          <ol className={styles["rows"]}>
            {rows.map((row) => (
              <TimelineRowView
                key={row.id}
                row={row}
                runtime={runtime}
                isLatestForm={row.id === latestFormId}
                isLast={row.kind === "message" && row.id === lastMessageId && state.pending.length === 0}
              />
            ))}
          </ol>
        </div>
      </section>
      {!isAtEnd && <JumpToLatest unread={unreadCountOf(state)} onPress={jumpToEnd} />}
    </div>
  );
}

/**
 * Which of the messages are drawn: the last few, then more with each step towards the past. What has been drawn stays,
 * so that positions hold and the browser's own search finds it; rows out of sight cost nothing (content-visibility).
 */
function useWindow(runtime: ChatRuntime, state: ConversationState, isAtEnd: boolean) {
  const { messages, history } = state;
  const [firstId, setFirstId] = useState<string | null>(null);
  const known = firstId === null ? -1 : messages.findIndex(({ id }) => id === firstId);
  const from = known >= 0 ? known : Math.max(0, messages.length - windowStep);
  const atFrom = messages[from]?.id ?? null;
  // Away from the end nothing may vanish above: the window's beginning is held.
  if (!isAtEnd && known < 0 && atFrom !== firstId) setFirstId(atFrom);

  const showEarlier = useCallback(() => {
    setFirstId(messages[Math.max(0, from - windowStep)]?.id ?? null);
    if (from === 0 && history.older !== "reading") void runtime.loadOlder();
  }, [from, messages, history.older, runtime]);
  return { from, showEarlier, showFrom: setFirstId };
}

/** Calls `showEarlier` when the top of the list comes near. */
function useTopReached(scroller: React.RefObject<HTMLElement | null>, showEarlier: () => void) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (top.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) showEarlier();
      },
      { root: scroller.current, rootMargin: "400px 0px 0px 0px" },
    );
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [scroller, showEarlier]);
  return top;
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

/** Messages drawn above one that is brought into view, so that it does not stand alone. */
const revealMargin = 8;

/**
 * A message is brought into view anew, for so many frames at most, until it stays where it is: in a long chat its row is drawn
 * some frames later, and rows around it get their real heights only when they come into view.
 */
const revealFrames = 120;

function useRevealed(
  scroller: React.RefObject<HTMLElement | null>,
  { messages }: ConversationState,
  revealedId: string | null,
  showFrom: (id: string | null) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that arrives later does not reveal again
  useEffect(() => {
    if (revealedId === null) return;
    const find = () => scroller.current?.querySelector(`[data-message-id="${CSS.escape(revealedId)}"]`);
    const index = messages.findIndex(({ id }) => id === revealedId);
    if (!find()) showFrom(messages[Math.max(0, index - revealMargin)]?.id ?? null);
    let frame = 0;
    let top: number | undefined;
    const bring = (framesLeft: number) => {
      const row = find();
      row?.scrollIntoView({ block: "center" });
      const before = top;
      top = row?.getBoundingClientRect().top;
      const isSettled = top !== undefined && top === before;
      if (!isSettled && framesLeft > 0) frame = requestAnimationFrame(() => bring(framesLeft - 1));
    };
    frame = requestAnimationFrame(() => bring(revealFrames));
    return () => cancelAnimationFrame(frame);
  }, [revealedId, scroller, showFrom]);
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
