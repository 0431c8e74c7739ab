import { useChat, useChatContext } from "../chat-context.ts";
import { optionalComponent } from "../controls/lazy-parts.tsx";
import styles from "./feedback-place.module.css";

const Feedback = optionalComponent(() => import("./feedback-parts.tsx"));

/** The thumbs of an answer, or the rating of the chat (null), if the host takes feedback. */
export function FeedbackPlace({ messageId }: { messageId: string | null }) {
  const { chat } = useChatContext();
  const isTaken = useChat(chat, ({ feedback }) => feedback !== null);
  // As high as the thumbs, so that the messages do not move when they appear.
  const fallback = messageId !== null && <div className={styles["thumbs"]} />;
  return isTaken && <Feedback messageId={messageId} fallback={fallback} />;
}
