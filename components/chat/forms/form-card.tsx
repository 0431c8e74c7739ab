import { useState } from "react";
import type { Collection } from "../../../lib/chat-api/collection.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { modeOf } from "../../../lib/engine/state/selectors.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { rightToLeft } from "../i18n/strings.ts";
import { ClosedForm } from "./closed-form.tsx";
import styles from "./forms.module.css";
import { OpenForm } from "./open-form.tsx";
import { ReadingNote } from "./reading-note.tsx";

export interface FormCardProps {
  /** The collection when the form was requested. */
  asked: Collection;
  /** When it was requested; null if unknown. */
  askedAt: string | null;
  /** The text of the message that carries the form, if one does. */
  above?: string;
  /** False if a later form has replaced this one. */
  isLatest: boolean;
}

/** A form in the conversation: fields while it is open, afterwards its outcome. */
export function FormCard({ asked, askedAt, above = "", isLatest }: FormCardProps) {
  const { t } = useChatContext();
  const state = useConversation();
  const { request } = asked;
  const current = state.collection;
  /** The form's outcome is unknown until the collection has been read. */
  const isUnknown = isLatest && current === null && modeOf(state) !== "resolved";
  const isOpen =
    isLatest &&
    modeOf(state) !== "resolved" &&
    request !== null &&
    current !== null &&
    current.request?.id === request.id;
  const [seen, setSeen] = useState({ isOpen, wasOpen: false });
  if (seen.isOpen !== isOpen) setSeen({ isOpen, wasOpen: seen.wasOpen || seen.isOpen });
  const isLastWord =
    request !== null &&
    state.pending.length === 0 &&
    state.messages.at(-1)?.collection?.request?.id === request.id;

  if (request === null) return null;
  const title = hasVisibleText(request.purpose) ? request.purpose : t.form.fillIn;
  const words = [request.purpose, ...asked.fields.flatMap(({ label, description }) => [label, description])];
  return (
    // A landmark needs a name that is unique on the page, so a replaced form is no landmark.
    <section
      className={styles["form"]}
      dir={directionOfText(words)}
      aria-label={isLatest ? `${t.form.label}: ${title}` : undefined}
      data-open={isOpen}
    >
      {!plain(above).includes(plain(title)) && (
        <p className={styles["purpose"]}>
          {isOpen && <Icon name="edit" size={18} />}
          <bdi>{title}</bdi>
        </p>
      )}
      {isOpen && <OpenForm collection={current} askedAt={askedAt} isCurrent={isLastWord || seen.wasOpen} />}
      {isUnknown && <ReadingNote />}
      {!isOpen && !isUnknown && (
        <ClosedForm
          asked={asked}
          askedAt={askedAt}
          current={current}
          isLatest={isLatest}
          takesFocus={seen.wasOpen && isLatest && modeOf(state) !== "resolved"}
        />
      )}
    </section>
  );
}

/** The sentence without case, spacing and final punctuation, for comparison. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replace(/[\p{P}\s]+$/u, "")
    .trim();
}

/**
 * The direction of most letters in a form's texts, so that the whole form has one direction whatever the
 * page's is. With `dir="auto"` each label would have its own. Undefined if there are no letters.
 */
export function directionOfText(texts: readonly string[]): "ltr" | "rtl" | undefined {
  const text = texts.join(" ");
  const letters = count(text, /\p{L}/u);
  if (letters === 0) return undefined;
  return count(text, rightToLeft) > letters / 2 ? "rtl" : "ltr";
}

function count(text: string, pattern: RegExp): number {
  return text.match(new RegExp(pattern, "gu"))?.length ?? 0;
}
