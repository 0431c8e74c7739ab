import { useEffect, useRef } from "react";
import { errorRules } from "../../../lib/chat-api/errors.ts";
import type { Message } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import type { Failure } from "../../../lib/engine/failure.ts";
import type { OutboxRecord } from "../../../lib/engine/outbox/outbox.ts";
import { newMessages } from "../../../lib/engine/state/messages.ts";
import { modeOf, statusOf } from "../../../lib/engine/state/selectors.ts";
import type { ConversationState } from "../../../lib/engine/state/state.ts";
import { authorName } from "../author-name.ts";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { waitingText } from "../errors/waiting.tsx";
import { fill } from "../i18n/strings.ts";
import { isBlank, partsOf } from "../messages/message-parts.tsx";

/**
 * Tells screen readers that an answer is coming, then reads the finished message once, never its parts. The
 * live regions are on the page, empty, before the first announcement and in each other conversation.
 */
export function Announcements({ isOpen }: { isOpen: boolean }) {
  const context = useChatContext();
  const { chat } = context;
  const polite = useRef<HTMLElement>(null);
  const urgent = useRef<HTMLElement>(null);
  const before = useRef(chat.getState().conversation);

  useEffect(() => {
    const follow = () => {
      const earlier = before.current;
      const { conversation } = chat.getState();
      if (earlier === conversation) return;
      before.current = conversation;
      if (earlier.createKey !== conversation.createKey)
        for (const region of [polite.current, urgent.current]) region?.replaceChildren();
      if (!isOpen) return;
      say(polite.current, politeAnnouncement(earlier, conversation, context));
      say(urgent.current, newRefusal(earlier, conversation, context));
    };
    follow();
    return chat.subscribe(follow);
  }, [chat, isOpen, context]);

  return (
    <Hidden>
      <span ref={polite} aria-live="polite" data-announcements="polite" />
      <span ref={urgent} aria-live="assertive" data-announcements="urgent" />
    </Hidden>
  );
}

/** Milliseconds. The regions are then emptied: the next person at this browser finds nothing. */
const announcementTime = 5_000;

/** Writes the announcement into its live region, if there is one. */
function say(region: HTMLElement | null, text: string | null): void {
  if (region === null || text === null) return;
  // An equal text does not change the page and would not be announced, so a no-break space makes it differ.
  const said = region.textContent === text ? `${text}\u00a0` : text;
  region.textContent = said;
  setTimeout(() => {
    if (region.textContent === said) region.replaceChildren();
  }, announcementTime);
}

/**
 * The polite announcement of a change: each new message of the agent or the team, whole, and that the chat
 * waits for the team; otherwise that an outcome is in doubt, why a message waits, or that a reply has
 * started. Null if there is nothing to announce.
 */
export function politeAnnouncement(
  earlier: ConversationState,
  state: ConversationState,
  chat: ChatContextValue,
): string | null {
  const isSameChat = earlier.chatId === state.chatId || earlier.chatId === null;
  if (isSameChat && earlier.history.state === "ready") {
    const heard = newMessages(earlier.messages, state.messages, earlier.history.hasOlder).filter(
      ({ role }) => role !== "visitor",
    );
    const said = heard.map((message) => spokenMessage(message, chat));
    if (earlier.chat?.mode === "agent" && modeOf(state) === "waiting") said.push(chat.t.panel.statusWaiting);
    if (said.length > 0) return said.join(" ");
  }
  for (const { record, delivery } of state.pending) {
    const from = stateIn(earlier, record);
    if (delivery.state === "unsure" && from !== "unsure") return chat.t.delivery.unsure;
    // A wait after a send is announced; one after a check (`checking`) repeats what the customer has heard.
    if (delivery.state !== "waiting" || from !== "sending") continue;
    const reason = waitingText(delivery.failure, record.chatId === null);
    // The status bar says that the browser is offline, and the answer in progress is announced itself.
    if (reason !== "offline" && reason !== "turn") return chat.t.waiting[reason];
  }
  const answers = statusOf(state) === "streaming" && earlier.reply?.key !== state.reply?.key;
  return answers ? fill(chat.t.delivery.answering, { name: chat.shop.agentName }) : null;
}

const stateIn = ({ pending }: ConversationState, { key }: OutboxRecord) =>
  pending.find(({ record }) => record.key === key)?.delivery.state;

/** A message as text: its author, its content and its attachments. */
export function spokenMessage(message: Message, chat: ChatContextValue): string {
  const name = authorName(message, chat);
  return [
    hasVisibleText(message.text)
      ? fill(saidBy(message, name, chat), { name, text: message.text })
      : message.files.length === 0 && fill(chat.t.announce.message, { name }),
    isBlank(message) && chat.t.messages.noText,
    ...partsOf(message).map((part) => part.announced(message, chat)),
  ]
    .filter(Boolean)
    .join(" ");
}

function saidBy({ role }: Message, name: string, { t }: ChatContextValue): string {
  if (role === "system") return t.announce.notice;
  return role === "teammate" && name !== t.messages.team ? t.announce.teammateReply : t.announce.reply;
}

/**
 * The announcement that a customer's message was not sent. Null if none was refused in this step, or the
 * refused one may be stored.
 */
export function newRefusal(
  earlier: ConversationState,
  state: ConversationState,
  { t }: ChatContextValue,
): string | null {
  for (const { record, delivery } of state.pending) {
    // The note below the message gives the reason. A message that is or may be stored is explained only
    // there.
    if (delivery.state === "refused" && stateIn(earlier, record) !== "refused")
      return isNotSent(delivery.failure) ? t.announce.messageFailed : null;
  }
  return null;
}

function isNotSent({ code, isListed }: Failure): boolean {
  return !(isListed ?? errorRules[code].outcome === "unknown");
}
