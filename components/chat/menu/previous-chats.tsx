import { useEffect, useRef, useState } from "react";
import type { Chat } from "../../../lib/chat-api/chat.ts";
import type { RememberedChat } from "../../../lib/engine/chats/remembered.ts";
import type { Summary } from "../../../lib/engine/chats/summary.ts";
import { teammateName } from "../author-name.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Button, IconButton } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { fill } from "../i18n/strings.ts";
import { Beginnings } from "../messages/welcome.tsx";
import styles from "./previous.module.css";

/** The chats that this browser remembers. Their topics come from the server: the stored list has no texts. */
export function PreviousChats({ onClose }: { onClose(): void }) {
  const { chat, t, shop } = useChatContext();
  const back = useRef<HTMLButtonElement>(null);
  const [chats, setChats] = useState(chat.chats);
  const current = useConversation().chatId;
  const { summaryOf, hasFailed, readAgain } = useSummaries(chats);
  useEffect(() => back.current?.focus(), []);

  return (
    <section className={styles["view"]} aria-label={t.menu.previousChats}>
      <div className={styles["top"]}>
        <IconButton ref={back} label={t.chats.back} icon={<Icon name="back" />} onClick={onClose} />
        <h3>{t.menu.previousChats}</h3>
      </div>
      {chats.length === 0 && <p className={styles["none"]}>{t.chats.none}</p>}
      <div role="status">
        {hasFailed && (
          <p className={styles["failed"]}>
            {t.chats.failed}{" "}
            <Button look="link" onClick={readAgain}>
              {t.buttons.try_again}
            </Button>
          </p>
        )}
      </div>
      <ul>
        {chats.map((remembered) => (
          <PreviousChat
            key={remembered.chatId}
            remembered={remembered}
            summary={summaryOf(remembered.chatId)}
            isCurrent={remembered.chatId === current}
            onOpen={() => {
              chat.openChat(remembered.chatId);
              onClose();
            }}
            onForget={() => {
              chat.forgetChat(remembered.chatId);
              setChats(chat.chats());
            }}
          />
        ))}
      </ul>
      <div className={styles["beginnings"]}>
        {shop.suggestions?.length ? <h3>{t.welcome.suggestions}</h3> : null}
        <Beginnings
          onPick={(text) => {
            chat.newChat();
            chat.send(text);
            onClose();
          }}
        />
      </div>
    </section>
  );
}

interface PreviousChatProps {
  remembered: RememberedChat;
  summary: Summary;
  isCurrent: boolean;
  onOpen(): void;
  onForget(): void;
}

function PreviousChat({ remembered, summary, isCurrent, onOpen, onForget }: PreviousChatProps) {
  const { t, format } = useChatContext();
  const { openedAt, isClosed } = remembered;
  const known = summary.state === "known" ? summary : null;
  const last = known?.last;
  const hasUnread = known?.hasUnread === true && !isCurrent;
  const at = last?.createdAt ?? new Date(openedAt).toISOString();
  const day = [format.day(at), format.time(at)].filter((text) => text !== null).join(", ");
  const title = {
    known: known?.topic || t.chats.untitled,
    loading: t.chats.loading,
    gone: t.files.expired,
    // The time from this browser's own list of chats.
    failed: day,
  }[summary.state];
  return (
    <li className={styles["chat"]}>
      <button type="button" onClick={onOpen} aria-current={isCurrent} disabled={summary.state === "gone"}>
        <bdi>{title}</bdi>
        {last && last.text !== title && <bdi className={styles["last"]}>{last.text}</bdi>}
        {known && (
          <span className={styles["when"]} data-unread={hasUnread}>
            {[hasUnread ? t.messages.unread : null, day, isCurrent ? t.chats.current : stateText(known.chat)]
              .filter((text) => text !== null)
              .join(" · ")}
          </span>
        )}
      </button>
      {!isCurrent && (
        <IconButton
          label={`${t.chats.forget}: ${title}`}
          icon={<Icon name="trash" size={18} />}
          onClick={onForget}
        />
      )}
    </li>
  );

  function stateText(chat: Chat | null): string | null {
    if (chat?.mode === "resolved" || (chat === null && isClosed)) return t.panel.statusResolved;
    if (chat?.mode === "teammate") return fill(t.chats.teammate, { name: teammateName(chat, t) });
    return chat?.mode === "waiting" ? t.panel.statusWaiting : null;
  }
}

/** The summary of each chat, and a function that reads again those that could not be read. */
function useSummaries(chats: readonly RememberedChat[]) {
  const { chat } = useChatContext();
  const [summaries, setSummaries] = useState<ReadonlyMap<string, Summary>>(new Map());
  const [reading, setReading] = useState<readonly RememberedChat[]>(chats);
  useEffect(() => {
    const ended = new AbortController();
    const learn = (chatId: string, summary: Summary) => {
      if (!ended.signal.aborted) setSummaries((known) => new Map(known).set(chatId, summary));
    };
    for (const { chatId } of reading) learn(chatId, { state: "loading" });
    const read = async (one: RememberedChat) => learn(one.chatId, await chat.readSummary(one, ended.signal));
    fourAtATime(reading, read, ended.signal);
    return () => ended.abort();
  }, [chat, reading]);

  const summaryOf = (chatId: string): Summary => summaries.get(chatId) ?? { state: "loading" };
  const isIn = (state: Summary["state"]) => (chat: RememberedChat) => summaryOf(chat.chatId).state === state;
  const hasFailed = chats.some(isIn("failed"));
  // Aborts the requests in flight and starts them again.
  const readAgain = () => setReading(chats.filter((chat) => isIn("failed")(chat) || isIn("loading")(chat)));
  return { summaryOf, hasFailed, readAgain };
}

const atOnce = 4;

/** Acts on each item, in their order: the rows in view come first. Begins nothing after the signal. */
export function fourAtATime<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  signal: AbortSignal,
): void {
  const left = items.values();
  async function actInTurn(): Promise<void> {
    for (const item of left) {
      if (signal.aborted) return;
      await act(item);
    }
  }
  for (let count = 0; count < atOnce; count += 1) void actInTurn();
}
