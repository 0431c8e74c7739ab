import { type SubmitEvent, useId, useState } from "react";
import { type FeedbackKind, feedbackLimits } from "../../../lib/chat-api/feedback.ts";
import type { Given } from "../../../lib/engine/state/feedback.ts";
import { useChatContext, useChatState } from "../chat-context.ts";
import { Button, IconButton } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import forms from "../forms/forms.module.css";
import { counted } from "../i18n/strings.ts";
import styles from "./feedback.module.css";

/** The thumbs of an answer, or the rating of the chat (null), if the host takes feedback. */
export function Feedback({ messageId }: { messageId: string | null }) {
  const isTaken = useChatState(useChatContext().chat, ({ feedback }) => feedback !== null);
  if (!isTaken) return null;
  return messageId === null ? <Rating /> : <Thumbs messageId={messageId} />;
}

function useFeedback(messageId: string | null): Given | undefined {
  return useChatState(useChatContext().chat, ({ feedback }) => feedback?.get(messageId ?? ""));
}

/**
 * Whether an answer was helpful. A second press takes the first back. Screen readers say the state of the
 * button that was pressed.
 */
function Thumbs({ messageId }: { messageId: string }) {
  const { chat, t } = useChatContext();
  const feedback = useFeedback(messageId);
  const press = (kind: FeedbackKind) =>
    chat.rate({ kind, messageId, value: feedback?.kind === kind ? 0 : 1 });
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields */}
      <div role="group" aria-label={t.feedback.answer} className={styles["thumbs"]}>
        {(["up", "down"] as const).map((kind) => (
          <IconButton
            key={kind}
            label={t.feedback[kind]}
            icon={<Icon name="thumb" size={18} />}
            aria-pressed={feedback?.kind === kind}
            data-kind={kind}
            onClick={() => press(kind)}
          />
        ))}
      </div>
      {feedback?.kind === "down" && <Comment feedback={feedback} />}
    </>
  );
}

/** How the customer liked a closed chat. */
function Rating() {
  const { chat, t, format } = useChatContext();
  const feedback = useFeedback(null);
  const titleId = useId();
  const stars = feedback?.value ?? 0;
  const values = Array.from({ length: feedbackLimits.rating }, (_, index) => index + 1);
  const press = (value: number) =>
    chat.rate({ kind: "rating", messageId: null, value: value === stars ? 0 : value });
  return (
    <div className={styles["rating"]}>
      <p id={titleId}>{t.feedback.chat}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields */}
      <div role="group" aria-labelledby={titleId}>
        {values.map((value) => (
          <IconButton
            key={value}
            label={counted(t.feedback.stars, value, format)}
            icon={<Icon name="star" size={24} />}
            aria-pressed={value === stars}
            data-filled={value <= stars}
            onClick={() => press(value)}
          />
        ))}
      </div>
      {feedback !== undefined && <Comment feedback={feedback} />}
    </div>
  );
}

/** A sentence of the customer's, for those who want to say more. */
function Comment({ feedback }: { feedback: Given }) {
  const { chat, t } = useChatContext();
  const [text, setText] = useState("");
  const id = useId();
  const isSent = feedback.comment !== "";

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const comment = text.trim();
    if (comment !== "") chat.rate({ ...feedback, comment });
  }

  return (
    <>
      {!isSent && (
        <form className={styles["comment"]} onSubmit={onSubmit}>
          <div className={forms["field"]}>
            <label htmlFor={id}>{t.feedback.comment}</label>
            <textarea
              id={id}
              rows={2}
              dir="auto"
              value={text}
              maxLength={feedbackLimits.commentLength}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
          <Button type="submit">{t.feedback.send}</Button>
        </form>
      )}
      <p role="status">{isSent && t.feedback.thanks}</p>
    </>
  );
}
