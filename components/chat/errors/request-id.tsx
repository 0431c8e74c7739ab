import { useState } from "react";
import { useChat } from "../chat-context.ts";
import styles from "./errors.module.css";

/** The request's ID, to quote when asking about an error. Where the clipboard is refused it can be selected. */
export function RequestId({ id }: { id: string }) {
  const { t } = useChat();
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard?.writeText(id).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <p className={styles["requestId"]}>
      {t.problems.requestId} <code>{id}</code>
      <button type="button" onClick={() => void copy()}>
        {isCopied ? t.problems.copied : t.problems.copy}
      </button>
    </p>
  );
}
