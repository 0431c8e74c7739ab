import type { Message } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import type { TimelineRow } from "../../../lib/engine/timeline/timeline.ts";
import { authorName } from "../author-name.ts";
import { useChatContext } from "../chat-context.ts";
import { Avatar } from "../controls/avatar.tsx";
import { Hidden } from "../controls/hidden.tsx";
import { Feedback } from "../feedback/feedback.tsx";
import { FormCard } from "../forms/form-card.tsx";
import { OfferCard } from "../handoff/offer-card.tsx";
import { fill } from "../i18n/strings.ts";
import { Choices } from "./choices.tsx";
import { isBlank, MessageCards } from "./message-parts.tsx";
import styles from "./messages.module.css";
import { MessageText, Row } from "./row.tsx";

export interface MessageRowProps {
  row: Extract<TimelineRow, { kind: "message" }>;
  /** True while its choices can be picked. */
  isAnswerable: boolean;
  /** True if its form is the current one; see `latestFormMessageId`. */
  isLatestForm: boolean;
}

export function MessageRow({ row, isAnswerable, isLatestForm }: MessageRowProps) {
  const { chat, t } = useChatContext();
  const { message, startsGroup, showsTime } = row;
  const { collection, handoffOffer } = message;
  const choices = isAnswerable ? message.choices : [];
  const isRated = message.role === "agent" && hasVisibleText(message.text) && !collection && !handoffOffer;
  const noText = isBlank({ ...message, choices, handoffOffer: null }) && (
    <p className={styles["time"]}>{t.messages.noText}</p>
  );
  if (message.role === "system") return <SystemNotice message={message} showsTime={showsTime} />;
  return (
    <Row
      className={styles["row"]}
      data-role={message.role}
      data-starts={startsGroup}
      data-message-id={message.id}
    >
      <Author message={message} isShown={startsGroup} />
      {handoffOffer === null && noText}
      {hasVisibleText(message.text) && (
        <div className={styles["bubble"]}>
          <MessageText text={message.text} />
        </div>
      )}
      <MessageCards message={message} />
      {collection?.request && (
        <FormCard
          asked={collection}
          askedAt={message.createdAt}
          above={message.text}
          isLatest={isLatestForm}
        />
      )}
      {handoffOffer !== null && <OfferCard messageId={message.id} offer={handoffOffer} fallback={noText} />}
      <Choices choices={choices} onPick={chat.send} />
      <SentAt message={message} isShown={showsTime} />
      {isRated && <Feedback messageId={message.id} />}
    </Row>
  );
}

interface AuthorProps {
  message: Pick<Message, "role" | "author">;
  isShown: boolean;
}

export function Author({ message, isShown }: AuthorProps) {
  const chat = useChatContext();
  const { t } = chat;
  const name = authorName(message, chat);
  if (!isShown || message.role === "visitor") return <Hidden>{fill(t.messages.said, { name })}</Hidden>;
  return (
    <p className={styles["author"]}>
      <Avatar name={name} isPerson={message.role === "teammate"} />
      <bdi>{name}</bdi>
      {message.role === "teammate" && name !== t.messages.team && (
        <span className={styles["badge"]}>{t.messages.team}</span>
      )}
    </p>
  );
}

/** Shows the time, without `isShown` while the row is hovered, pressed or contains the focus. */
function SentAt({ message, isShown }: { message: Message; isShown: boolean }) {
  const { format } = useChatContext();
  const time = format.time(message.createdAt);
  if (time === null || message.createdAt === null) return null;
  return (
    <p className={styles["time"]} data-shown={isShown}>
      <time dateTime={message.createdAt} title={format.dateTime(message.createdAt) ?? undefined}>
        {time}
      </time>
    </p>
  );
}

/** An event of the chat, such as a teammate who joined. */
function SystemNotice({ message, showsTime }: { message: Message; showsTime: boolean }) {
  return (
    <Row className={styles["event"]} data-message-id={message.id}>
      <MessageText text={message.text} />
      <SentAt message={message} isShown={showsTime} />
    </Row>
  );
}
