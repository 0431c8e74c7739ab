import { limits } from "../../../lib/chat-api/limits.ts";
import * as conversationLimits from "../../../lib/engine/limits.ts";
import { useChatContext } from "../chat-context.ts";
import { counted } from "../i18n/strings.ts";
import styles from "./composer.module.css";

/** Counts UTF-16 units like the API, so an emoji counts as two or more. Hidden until the limit is near. */
export function Counter({ id, length }: { id: string; length: number }) {
  const { t, format } = useChatContext();
  const left = limits.messageTextLength - length;
  const isNear = length >= conversationLimits.counterFrom;
  return (
    <p id={id} className={styles["hint"]} data-shown={isNear} data-over={left < 0}>
      {left < 0
        ? counted(t.composer.tooLong, -left, format)
        : isNear
          ? counted(t.composer.left, left, format)
          : t.composer.hint}
    </p>
  );
}
