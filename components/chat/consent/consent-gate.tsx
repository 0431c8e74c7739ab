import { type ReactNode, useMemo, useRef, useState } from "react";
import type { Chat } from "../../../lib/engine/chat.ts";
import { isSameConversation } from "../../../lib/engine/conversation-ref.ts";
import type { ChatState } from "../../../lib/engine/state/state.ts";
import { ChatContext, useChatContext } from "../chat-context.ts";
import { type Consent, ConsentQuestion } from "./consent-question.tsx";

const entry = "shop-chat:1:browser:consent";

/** The version that the customer has agreed to, for as long as the page lives if it cannot be stored. */
let agreed: string | null = null;

const hasAgreed = (version: string) =>
  agreed === version || withStorage((storage) => storage.getItem(entry)) === version;

function storeConsent(version: string): void {
  agreed = version;
  withStorage((storage) => storage.setItem(entry, version));
}

/** Storage may be blocked or full. */
function withStorage<T>(act: (storage: Storage) => T): T | null {
  try {
    return act(localStorage);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export interface ConsentGateProps {
  consent: Consent;
  children(question: ReactNode): ReactNode;
}

/**
 * Holds messages and files back until the customer agrees. A message waits in the message field, which keeps
 * it over a reload.
 */
export function ConsentGate({ consent, children }: ConsentGateProps) {
  const context = useChatContext();
  const { version = "1" } = consent;
  /** How often the question was asked, so that it gets the focus again. */
  const [asked, setAsked] = useState(0);
  /** What waits, with the conversation that it was for. */
  const held = useRef(new Map<() => void, ChatState>());
  // The same chat as long as the engine's is: a new one would be started again.
  const chat = useMemo(
    () =>
      gatedChat(context.chat, {
        isAgreed: () => hasAgreed(version),
        hold(act) {
          held.current.set(act, context.chat.getState());
          setAsked((times) => times + 1);
        },
      }),
    [context.chat, version],
  );
  const gated = useMemo(() => ({ ...context, chat }), [context, chat]);
  const agree = () => {
    storeConsent(version);
    setAsked(0);
    for (const [act, then] of held.current) if (isStill(context.chat.getState(), then)) act();
    held.current.clear();
  };
  const question = asked > 0 && <ConsentQuestion key={asked} consent={consent} onAgree={agree} />;
  return <ChatContext value={gated}>{children(question)}</ChatContext>;
}

/** Nothing of one caller or conversation goes to another. Before the answer there is no caller. */
function isStill(now: ChatState, then: ChatState): boolean {
  if (then.owner === null) return true;
  return now.owner === then.owner && isSameConversation(now.conversation, then.conversation);
}

interface Gate {
  isAgreed(): boolean;
  /** Asks the customer. `act` is called when they agree; the same function once. */
  hold(act: () => void): void;
}

function gatedChat(chat: Chat, { isAgreed, hold }: Gate): Chat {
  const sendDraft = () => void chat.send();
  return {
    ...chat,
    send(text) {
      if (isAgreed()) return chat.send(text);
      if (text !== undefined)
        chat.setText([chat.getState().draft.text, text].filter((part) => part !== "").join("\n\n"));
      hold(sendDraft);
      return false;
    },
    attach(files) {
      if (isAgreed()) chat.attach(files);
      else hold(() => chat.attach(files));
    },
  };
}
