import { useEffect, useRef, useState } from "react";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { RememberedChat } from "#lib/conversation/chat-list.ts";
import { failureOf } from "#lib/conversation/failure.ts";
import { teammateName } from "../author-name.ts";
import { useChat } from "../chat-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { fill } from "../i18n/strings.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import styles from "./previous.module.css";
import { topicMessages, topicOf } from "./topic.ts";

export interface PreviousChatsProps {
  runtime: ChatRuntime;
  onClose(): void;
}

/** The chats that this browser remembers. What they are about is asked of the server: nothing of it lies in the browser. */
export default function PreviousChats({ runtime, onClose }: PreviousChatsProps) {
  const { t } = useChat();
  const back = useRef<HTMLButtonElement>(null);
  const [chats, setChats] = useState(runtime.chats);
  useEffect(() => back.current?.focus(), []);

  return (
    <section className={styles["view"]} aria-label={t.chats.title}>
      <div className={styles["top"]}>
        <IconButton ref={back} label={t.panel.back} icon={<Icon name="back" />} onClick={onClose} />
        <h3>{t.chats.title}</h3>
      </div>
      {chats.length === 0 && <p className={styles["none"]}>{t.chats.none}</p>}
      <ul>
        {chats.map((chat) => (
          <PreviousChat
            key={chat.chatId}
            runtime={runtime}
            remembered={chat}
            onOpen={() => {
              if (runtime.getState().chatId !== chat.chatId) runtime.open(chat.chatId);
              onClose();
            }}
            onForget={() => {
              runtime.forgetChat(chat.chatId);
              setChats(runtime.chats());
            }}
          />
        ))}
      </ul>
    </section>
  );
}

interface PreviousChatProps {
  runtime: ChatRuntime;
  remembered: RememberedChat;
  onOpen(): void;
  onForget(): void;
}

type Summary =
  | { state: "loading" }
  | { state: "gone" }
  /** Nobody knows now; opening it says more. */
  | { state: "failed" }
  /** `chat` is read where others may have changed it: while the team has it. */
  | { state: "known"; chat: Chat | null; topic: string };

function PreviousChat({ runtime, remembered, onOpen, onForget }: PreviousChatProps) {
  const { t, format } = useChat();
  const { chatId, openedAt, awaitsTeam, isClosed } = remembered;
  const summary = useSummary(runtime, chatId, awaitsTeam);
  const isCurrent = runtime.getState().chatId === chatId;
  const title =
    summary.state === "known"
      ? summary.topic || t.chats.untitled
      : { loading: t.chats.loading, gone: t.chats.gone, failed: t.problems.partFailed }[summary.state];
  return (
    <li className={styles["chat"]}>
      <button type="button" onClick={onOpen} aria-current={isCurrent} disabled={summary.state === "gone"}>
        <bdi>{title}</bdi>
        {summary.state === "known" && (
          <span>
            {[
              format.day(new Date(openedAt).toISOString()),
              isCurrent ? t.chats.current : stateText(summary.chat),
            ]
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
    if (chat?.mode === "resolved" || (chat === null && isClosed)) return t.chats.closed;
    if (chat?.mode === "teammate") return fill(t.panel.statusTeammate, { name: teammateName(chat, t) });
    return chat?.mode === "waiting" ? t.panel.statusWaiting : null;
  }
}

function useSummary(runtime: ChatRuntime, chatId: string, awaitsTeam: boolean): Summary {
  const [summary, setSummary] = useState<Summary>({ state: "loading" });
  useEffect(() => {
    const ended = new AbortController();
    const call = { signal: ended.signal };
    Promise.all([
      awaitsTeam ? runtime.client.getChat(chatId, call) : null,
      runtime.client.listMessages(chatId, { limit: topicMessages }, call),
    ])
      .then(([chat, { items }]) => setSummary({ state: "known", chat, topic: topicOf(items) }))
      .catch((error: unknown) => {
        if (ended.signal.aborted) return;
        setSummary({ state: failureOf(error).code === "chat_not_found" ? "gone" : "failed" });
      });
    return () => ended.abort();
  }, [runtime, chatId, awaitsTeam]);
  return summary;
}
