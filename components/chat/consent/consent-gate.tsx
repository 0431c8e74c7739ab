import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { ChatEngine } from "../../../lib/engine/chat.ts";
import { isSendable } from "../../../lib/engine/state/selectors.ts";
import { ChatContext, type ChatContextValue, type ConsentQuestion, useChatState } from "../chat-context.ts";

/** An attempt to send, and its conversation. The text of a message is in the draft. */
interface Tried {
  owner: string | null;
  createKey: string;
  files: readonly File[];
  isMessage: boolean;
  times: number;
}

/**
 * Provides the chat to its view. While the engine takes no message or file because the customer has not
 * agreed to the shop's text, an attempt to send asks them.
 */
export function ConsentGate({ value, children }: { value: ChatContextValue; children: ReactNode }) {
  const { chat } = value;
  const [tried, setTried] = useState<Tried | null>(null);
  const owner = useChatState(chat, (state) => state.owner);
  const createKey = useChatState(chat, ({ conversation }) => conversation.createKey);
  const hasConsent = useChatState(chat, (state) => state.hasConsent);
  if (tried !== null && (tried.owner !== owner || tried.createKey !== createKey))
    // Only the server's first answer, which names the customer, keeps what they have tried to send.
    setTried(tried.owner === null ? { ...tried, owner, createKey } : null);

  // The customer has agreed in another tab: nothing is sent here without a press.
  useEffect(() => {
    if (!hasConsent || tried === null) return;
    if (tried.files.length > 0) chat.attach(tried.files);
    setTried(null);
  }, [chat, hasConsent, tried]);

  const asking = useMemo<ChatEngine>(() => {
    function ask(files: readonly File[], isMessage: boolean): void {
      const { owner, conversation } = chat.getState();
      setTried((before) => ({
        owner,
        createKey: conversation.createKey,
        files: [...(before?.files ?? []), ...files],
        isMessage: isMessage || before?.isMessage === true,
        times: (before?.times ?? 0) + 1,
      }));
    }
    return {
      ...chat,
      send(text) {
        if (chat.send(text)) return true;
        const { hasConsent, draft, conversation } = chat.getState();
        if (!hasConsent && isSendable(draft, conversation)) ask([], true);
        return false;
      },
      attach(files) {
        if (chat.getState().hasConsent) chat.attach(files);
        else ask(files, false);
      },
    };
  }, [chat]);

  const consent = useMemo<ConsentQuestion | null>(
    () =>
      tried && {
        times: tried.times,
        agree() {
          setTried(null);
          chat.agree();
          if (tried.files.length > 0) chat.attach(tried.files);
          // A message whose files are still to be uploaded stays in the field.
          if (tried.isMessage) chat.send();
        },
        refuse: () => setTried(null),
      },
    [chat, tried],
  );
  const context = useMemo(() => ({ ...value, chat: asking, consent }), [value, asking, consent]);
  return <ChatContext value={context}>{children}</ChatContext>;
}
