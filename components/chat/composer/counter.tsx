import { limits } from "../../../lib/chat-api/limits.ts";
import * as conversationLimits from "../../../lib/engine/limits.ts";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { hasOnScreenKeyboard } from "../controls/browser.ts";
import { Hidden } from "../controls/hidden.tsx";
import { fill } from "../i18n/strings.ts";
import styles from "./composer.module.css";

/** Counts UTF-16 units like the API, so an emoji counts as two or more. Hidden until the limit is near. */
export function Counter({ id, length }: { id: string; length: number }) {
  const { t, format } = useChatContext();
  // On-screen keyboards have a key for a new line, and the button sends.
  if (length < conversationLimits.counterFrom)
    return <Hidden id={id}>{!hasOnScreenKeyboard() && t.composer.hint}</Hidden>;
  return (
    <p id={id} className={styles["hint"]} data-over={length > limits.messageTextLength}>
      {lengthText(length, limits.messageTextLength, { t, format })}
    </p>
  );
}

/** How long a text is, beside its limit. */
export function lengthText(
  length: number,
  limit: number,
  { t, format }: Pick<ChatContextValue, "t" | "format">,
): string {
  return fill(t.composer.length, { count: format.number(length), limit: format.number(limit) });
}
