import { useEffect, useRef, useState } from "react";
import type { Message } from "#lib/chat-api/message.ts";
import { messagesSince } from "#lib/conversation/messages.ts";
import { remedyFor } from "#lib/conversation/remedies.ts";
import { statusOf } from "#lib/conversation/selectors.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { authorName } from "../author-name.ts";
import { type ChatContextValue, useChat } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { counted, fill } from "../i18n/strings.ts";

/**
 * What screen readers are told: that an answer is coming, then the finished message once, never its parts. The regions
 * are on the page, empty, before anything is said.
 */
export function Announcements({ state, isOpen }: { state: ConversationState; isOpen: boolean }) {
  const chat = useChat();
  const [polite, setPolite] = useState("");
  const [urgent, setUrgent] = useState("");
  const before = useRef(state);

  useEffect(() => {
    const earlier = before.current;
    before.current = state;
    if (!isOpen) return;
    const said = politeNews(earlier, state, chat);
    if (said !== null) setPolite(anew(said));
    const refused = newRefusal(earlier, state, chat);
    if (refused !== null) setUrgent(anew(refused));
  }, [state, isOpen, chat]);

  return (
    <Hidden>
      <span aria-live="polite" data-announcements="polite">
        {polite}
      </span>
      <span aria-live="assertive" data-announcements="urgent">
        {urgent}
      </span>
    </Hidden>
  );
}

/** The same words again are no change of the page, and would not be read aloud: a blank that nobody hears makes them one. */
const anew = (said: string) => (before: string) => (before === said ? `${said}\u00a0` : said);

function politeNews(
  earlier: ConversationState,
  state: ConversationState,
  chat: ChatContextValue,
): string | null {
  const isSameChat = earlier.chatId === state.chatId || earlier.chatId === null;
  const wasReady = earlier.history.state === "ready";
  const heard = messagesSince(earlier.messages, state.messages).filter(({ role }) => role !== "visitor");
  if (isSameChat && wasReady && heard.length > 0)
    return heard.map((message) => spoken(message, chat)).join(" ");
  const answers = statusOf(state) === "streaming" && statusOf(earlier) !== "streaming";
  return answers ? fill(chat.t.announce.answering, { name: chat.shop.agentName }) : null;
}

function spoken(message: Message, chat: ChatContextValue): string {
  const { t, format } = chat;
  const says = {
    agent: t.announce.reply,
    teammate: t.announce.teammateReply,
    system: t.announce.notice,
    visitor: t.announce.notice,
  }[message.role];
  return [
    fill(says, { name: authorName(message, chat), text: message.text }),
    message.products.length > 0 && counted(t.announce.withProducts, message.products.length, format),
    message.orders.length > 0 && counted(t.announce.withOrders, message.orders.length, format),
    message.collection?.request && t.announce.withForm,
    message.handoffOffer && t.announce.withOffer,
    message.choices.length > 0 && counted(t.announce.withChoices, message.choices.length, format),
  ]
    .filter(Boolean)
    .join(" ");
}

function newRefusal(
  earlier: ConversationState,
  state: ConversationState,
  { t }: ChatContextValue,
): string | null {
  for (const { record, delivery } of state.pending) {
    if (delivery.state !== "refused") continue;
    const known = earlier.pending.find((pending) => pending.record.key === record.key);
    if (known?.delivery.state === "refused") continue;
    return fill(t.announce.messageFailed, { text: t.remedies[remedyFor(delivery.failure).text] });
  }
  return null;
}
