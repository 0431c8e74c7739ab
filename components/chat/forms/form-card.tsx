import { useEffect, useRef, useState } from "react";
import type { Collection } from "#lib/chat-api/collection.ts";
import { modeOf } from "#lib/conversation/selectors.ts";
import { useChat, useConversation } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { ClosedForm } from "./closed-form.tsx";
import styles from "./forms.module.css";
import { OpenForm } from "./open-form.tsx";
import { readCollection } from "./read-collection.ts";

export interface FormCardProps {
  runtime: ChatRuntime;
  /** The collection as it was when the form was asked for. */
  asked: Collection;
  /** The message says already why the form is asked for. */
  isSaid: boolean;
  /** False for a form that a later one has taken the place of. */
  isLatest: boolean;
}

/** A form in the conversation: to be filled in while it is open, then what became of it. */
export default function FormCard({ runtime, asked, isSaid, isLatest }: FormCardProps) {
  const { t } = useChat();
  const state = useConversation(runtime);
  const request = asked.request;
  const current = state.collection;
  const [hasLooked, setLooked] = useState(false);
  /** In a chat that is being opened nobody knows yet what has become of its form. */
  const isUnknown = isLatest && current === null && !hasLooked;
  const mode = modeOf(state);
  const isOpen =
    isLatest &&
    !isUnknown &&
    mode !== "resolved" &&
    request !== null &&
    (current === null || current.request?.id === request.id);
  const changedAt = state.chat?.updatedAt;
  const wasOpen = useRef(false);
  const isLastWord = request !== null && state.messages.at(-1)?.collection?.request?.id === request.id;
  useEffect(() => {
    wasOpen.current ||= isOpen;
  }, [isOpen]);

  // When it cannot be read anew, the form stays as its message brought it; saving tells what has changed since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chat that changed may have a form that changed
  useEffect(() => {
    if (!isLatest) return;
    readCollection(runtime)
      .catch(() => undefined)
      .finally(() => setLooked(true));
  }, [runtime, isLatest, changedAt]);

  if (request === null) return null;
  return (
    // One place of the page has this name: a form that a later one has taken the place of is text like any other.
    <section className={styles["form"]} aria-label={isLatest ? t.form.label : undefined} data-open={isOpen}>
      <p className={styles["purpose"]}>
        <Icon name="edit" size={18} />
        <bdi>{request.purpose.trim() === "" || isSaid ? t.form.fillIn : request.purpose}</bdi>
      </p>
      {isOpen && (
        <OpenForm
          runtime={runtime}
          collection={current?.request == null ? asked : current}
          comesIn={isLastWord || wasOpen.current}
        />
      )}
      {!isOpen && !isUnknown && (
        <ClosedForm
          asked={asked}
          current={state.collection}
          showsAnswers={isLatest}
          takesFocus={wasOpen.current && isLatest && mode !== "resolved"}
        />
      )}
    </section>
  );
}
