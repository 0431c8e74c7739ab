import { useChat, useChatContext } from "../chat-context.ts";
import { LazyPart } from "../controls/lazy-parts.tsx";
import { lazyParts } from "../controls/load-on-use.ts";
import styles from "./feedback-place.module.css";

const feedbackParts = lazyParts(() => import("./feedback-parts.tsx"));

/** The thumbs of an answer, or the rating of the chat (null), if the host takes feedback. */
export function FeedbackPlace({ messageId }: { messageId: string | null }) {
  const { chat } = useChatContext();
  const isTaken = useChat(chat, ({ feedback }) => feedback !== null);
  return (
    isTaken && (
      <LazyPart
        of={feedbackParts}
        isOptional
        // As high as the thumbs, so that the messages do not move when they appear.
        fallback={messageId !== null && <div className={styles["thumbs"]} />}
      >
        {({ Thumbs, Rating }) => (messageId === null ? <Rating /> : <Thumbs messageId={messageId} />)}
      </LazyPart>
    )
  );
}
