import { useEffect, useState } from "react";
import type { Summary } from "../../../lib/engine/chats/summary.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { fill } from "../i18n/strings.ts";
import { Choices } from "./choices.tsx";
import styles from "./messages.module.css";

export interface WelcomeProps {
  isOpen: boolean;
  focusComposer(): void;
}

/** The content of a conversation without messages. */
export function Welcome({ isOpen, focusComposer }: WelcomeProps) {
  const { chat, t, shop } = useChatContext();
  return (
    <div className={styles["welcome"]}>
      <div className={styles["band"]}>
        <p className={styles["welcomeTitle"]}>{t.welcome.title}</p>
        <p dir={shop.disclosure && "auto"}>
          {shop.disclosure?.text ?? fill(t.welcome.text, { name: shop.agentName })}
        </p>
        {shop.teamHours && (
          <p className={styles["hours"]}>
            <Icon name="clock" size={16} />
            <bdi>{shop.teamHours}</bdi>
          </p>
        )}
      </div>
      {isOpen && <LastChat />}
      <Beginnings
        onPick={(text) => {
          chat.send(text);
          focusComposer();
        }}
      />
    </div>
  );
}

/** Questions to begin with, and the way to the shop's help pages. */
export function Beginnings({ onPick }: { onPick(text: string): void }) {
  const { t, shop } = useChatContext();
  const { help } = shop;
  return (
    <>
      <Choices
        look="suggestions"
        label={t.welcome.suggestions}
        choices={shop.suggestions ?? []}
        icons={shop.suggestionIcons}
        onPick={onPick}
      />
      {help?.search ? (
        <search className={styles["suggestions"]} aria-label={help.label}>
          <form action={help.href}>
            <Icon name="search" />
            <input type="search" name={help.search} aria-label={help.label} placeholder={help.label} />
          </form>
        </search>
      ) : (
        help && (
          <p className={styles["suggestions"]}>
            <a href={help.href}>
              <Icon name="source" />
              <bdi>{help.label}</bdi>
            </a>
          </p>
        )
      )}
    </>
  );
}

/** The latest chat that this browser remembers, once it is known what it is about. */
function LastChat() {
  const { chat, t, format } = useChatContext();
  const current = useConversation((state) => state.chatId);
  const last = chat.chats().find((one) => one.chatId !== current);
  const [summary, setSummary] = useState<Summary>();
  const chatId = last?.chatId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is a new one at each call
  useEffect(() => {
    const ended = new AbortController();
    if (last)
      void chat.readSummary(last, ended.signal).then((read) => ended.signal.aborted || setSummary(read));
    return () => ended.abort();
  }, [chat, chatId]);
  if (last === undefined || summary?.state !== "known" || summary.topic === "") return null;
  const at = summary.last?.createdAt ?? new Date(last.openedAt).toISOString();
  return (
    <div className={styles["suggestions"]}>
      <button type="button" onClick={() => chat.openChat(last.chatId)}>
        <Icon name="history" />
        <span>
          <bdi>{summary.topic}</bdi>
          <small>
            {t.chats.last} · {format.day(at)}
          </small>
        </span>
      </button>
    </div>
  );
}
