import { limits } from "../../../lib/chat-api/limits.ts";
import * as conversationLimits from "../../../lib/engine/limits.ts";
import { useChatContext } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { counted } from "../i18n/strings.ts";
import styles from "./composer.module.css";
import { hasOnScreenKeyboard } from "./on-screen-keyboard.ts";

/** Counts UTF-16 units like the API, so an emoji counts as two or more. Hidden until the limit is near. */
export function Counter({ id, length }: { id: string; length: number }) {
  const { t, format } = useChatContext();
  const left = limits.messageTextLength - length;
  // On-screen keyboards have a key for a new line, and the button sends.
  if (length < conversationLimits.counterFrom)
    return <Hidden id={id}>{!hasOnScreenKeyboard() && t.composer.hint}</Hidden>;
  return (
    <p id={id} className={styles["hint"]} data-over={left < 0}>
      {left < 0 ? counted(t.composer.tooLong, -left, format) : counted(t.composer.left, left, format)}
    </p>
  );
}
