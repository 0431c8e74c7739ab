import { useEffect, useId, useRef } from "react";
import { useChatContext } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { Hidden } from "../controls/hidden.tsx";
import styles from "./consent.module.css";

/** What the customer must agree to before their first message. */
export interface Consent {
  text: string;
  /** The shop's privacy page. */
  href: string;
  /** Another version asks again. */
  version?: string | undefined;
}

/** Takes the focus, but not on its button: the key that has sent the message would agree. */
export function ConsentQuestion({ consent, onAgree }: { consent: Consent; onAgree(): void }) {
  const { t } = useChatContext();
  const textId = useId();
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields
    <div ref={question} role="group" aria-labelledby={textId} tabIndex={-1} className={styles["question"]}>
      <p id={textId}>
        {consent.text}{" "}
        <a href={consent.href} target="_blank" rel="noopener">
          {t.consent.privacy}
          <Hidden> ({t.links.opens})</Hidden>
        </a>
      </p>
      <Button look="primary" onClick={onAgree}>
        {t.consent.agree}
      </Button>
    </div>
  );
}
