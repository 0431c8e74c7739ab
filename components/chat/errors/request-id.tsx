import { useState } from "react";
import { useChatContext } from "../chat-context.ts";
import styles from "./errors.module.css";

/** The request's ID, to quote to support. It can be selected if clipboard access is refused. */
export function RequestId({ id }: { id: string }) {
  const { t } = useChatContext();
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard?.writeText(id).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <p className={styles["requestId"]}>
      {t.notes.requestId} <code>{id}</code>
      <button type="button" onClick={() => void copy()}>
        {isCopied ? t.notes.copied : t.notes.copy}
      </button>
    </p>
  );
}
