import { useEffect, useId, useRef } from "react";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { type ConsentQuestion as Question, useChatContext, useChatState } from "../chat-context.ts";
import { Button } from "../controls/buttons.tsx";
import controls from "../controls/controls.module.css";
import { Hidden } from "../controls/hidden.tsx";
import styles from "./consent.module.css";

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
