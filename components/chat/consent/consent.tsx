import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import type { ChatEngine } from "../../../lib/engine/chat.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { isSendable } from "../../../lib/engine/state/selectors.ts";
import {
  ChatContext,
  type ChatContextValue,
  type ConsentQuestion as Question,
  useChatContext,
  useChatState,
} from "../chat-context.ts";
import { Button } from "../controls/buttons.tsx";
import controls from "../controls/controls.module.css";
import { Hidden } from "../controls/hidden.tsx";
import { createFormat } from "../format/format.ts";
import styles from "./consent.module.css";

/** The customer has tried to send in this conversation before they agreed. */
interface Attempt {
  owner: string | null;
  createKey: string;
  files: readonly File[];
  /** The text of the message is in the draft. */
  isMessage: boolean;
  /** Repetitions of refused messages and failed uploads. */
  retries: readonly (() => void)[];
  times: number;
  /** The text that is sent once the files are uploaded, unless the draft changes. Null before they agree. */
  agreedText: string | null;
}

export interface ConsentGateProps extends Pick<ChatContextValue, "chat" | "t" | "shop" | "onEvent"> {
  locale: string;
  children: ReactNode;
}

/**
 * Provides the chat to its view. While the engine takes no message or file because the customer has not
 * agreed to the shop's text, an attempt to send asks them.
 */
export function ConsentGate({ chat, t, locale, shop, onEvent, children }: ConsentGateProps) {
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const owner = useChatState(chat, (state) => state.owner);
  const createKey = useChatState(chat, ({ conversation }) => conversation.createKey);
  const hasConsent = useChatState(chat, (state) => state.hasConsent);
  const isUploading = useChatState(chat, ({ uploads }) =>
    uploads.some(({ state }) => state.state === "uploading"),
  );
  if (attempt !== null && (attempt.owner !== owner || attempt.createKey !== createKey))
    // Only the server's first answer, which names the customer, keeps what they have tried to send.
    setAttempt(attempt.owner === null ? { ...attempt, owner, createKey } : null);

  useEffect(() => {
    if (!hasConsent || attempt === null) return;
    const { files, agreedText } = attempt;
    if (agreedText !== null && isUploading) return;
    setAttempt(null);
    // Without the text, the customer has agreed in another tab: nothing is sent here without a press.
    if (agreedText === null && files.length > 0) chat.attach(files);
    if (agreedText === chat.getState().draft.text) chat.send();
  }, [chat, hasConsent, isUploading, attempt]);

  const asking = useMemo<ChatEngine>(() => {
    function ask(tried: Partial<Pick<Attempt, "files" | "isMessage" | "retries">>): void {
      const { owner, conversation } = chat.getState();
      const { files = [], isMessage = false, retries = [] } = tried;
      setAttempt((before) => ({
        owner,
        createKey: conversation.createKey,
        files: [...(before?.files ?? []), ...files],
        isMessage: isMessage || before?.isMessage === true,
        retries: [...(before?.retries ?? []), ...retries],
        times: (before?.times ?? 0) + 1,
        agreedText: null,
      }));
    }
    function retryOrAsk(retry: () => void): void {
      if (chat.getState().hasConsent) retry();
      else ask({ retries: [retry] });
    }
    return {
      ...chat,
      send(text) {
        if (chat.send(text)) return true;
        const { hasConsent, draft, conversation } = chat.getState();
        if (!hasConsent && isSendable(draft, conversation)) ask({ isMessage: true });
        return false;
      },
      retry: (keys) => retryOrAsk(() => chat.retry(keys)),
      retryUpload: (key) => retryOrAsk(() => chat.retryUpload(key)),
      attach(files) {
        chat.attach(files);
        if (!chat.getState().hasConsent) ask({ files });
      },
    };
  }, [chat]);

  const consent = useMemo<Question | null>(
    () =>
      attempt?.agreedText === null
        ? {
            times: attempt.times,
            fileNames: attempt.files.map(({ name }) => name),
            agree() {
              chat.agree();
              if (attempt.files.length > 0) chat.attach(attempt.files);
              for (const retry of attempt.retries) retry();
              const agreedText = chat.getState().draft.text;
              const waits = attempt.isMessage && !chat.send();
              setAttempt(waits ? { ...attempt, files: [], agreedText } : null);
            },
            refuse: () => setAttempt(null),
          }
        : null,
    [chat, attempt],
  );
  const context = useMemo(
    () => ({ chat: asking, consent, t, format: createFormat({ locale }), shop, onEvent }),
    [asking, consent, t, locale, shop, onEvent],
  );
  return <ChatContext value={context}>{children}</ChatContext>;
}

/**
 * Asks the customer to agree before their first message or file. The question takes the focus, but not to a
 * button: the key that has sent the message would press it.
 */
export function ConsentQuestion({ question: { fileNames, agree, refuse } }: { question: Question }) {
  const { chat, t, shop } = useChatContext();
  const text = useChatState(chat, ({ draft }) => draft.text);
  const textId = useId();
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields
    <div ref={question} role="group" aria-labelledby={textId} tabIndex={-1} className={styles["question"]}>
      <p id={textId}>
        <bdi>{shop.consent?.text}</bdi>{" "}
        <a href={shop.consent?.href} target="_blank" rel="noopener">
          {t.consent.privacy}
          <Hidden> ({t.links.opens})</Hidden>
        </a>
      </p>
      {hasVisibleText(text) && <blockquote dir="auto">{text}</blockquote>}
      {fileNames.length > 0 && (
        <ul aria-label={t.attachments.label}>
          {fileNames.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a phone may give all photos the same name
            <li key={index}>
              <bdi>{shownName(name, t.files.unnamed)}</bdi>
            </li>
          ))}
        </ul>
      )}
      <div className={controls["row"]}>
        <Button look="primary" onClick={agree}>
          {t.consent.agree}
        </Button>
        <Button onClick={refuse}>{t.consent.refuse}</Button>
      </div>
    </div>
  );
}
