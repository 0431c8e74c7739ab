import { useChatContext } from "../chat-context.ts";
import styles from "./errors.module.css";

/** How to reach people when the chat cannot help. */
export function ContactLine() {
  const { t, shop } = useChatContext();
  if (!shop.contact) return null;
  const [before = "", after = ""] = t.notes.contact.split("{contact}");
  return (
    <p className={styles["contact"]}>
      {before}
      <a href={shop.contact.href}>
        <bdi>{shop.contact.label}</bdi>
      </a>
      {after}
    </p>
  );
}
