import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { ChatEngine } from "../../../lib/engine/chat.ts";
import { isSendable } from "../../../lib/engine/state/selectors.ts";
import { ChatContext, type ChatContextValue, type ConsentQuestion, useChatState } from "../chat-context.ts";
import { createFormat } from "../format/format.ts";

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

  const consent = useMemo<ConsentQuestion | null>(
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
