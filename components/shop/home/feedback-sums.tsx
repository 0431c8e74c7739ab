import { connection } from "next/server";
import { readFeedbackSums } from "#lib/shop/server/feedback.ts";
import styles from "./try-list.module.css";

/** What visitors have said with the thumbs under the answers, and about closed chats. */
export async function FeedbackSums() {
  // On each request, not in the build.
  await connection();
  const { up, down, ratings, rating } = await readFeedbackSums();
  return (
    <section aria-labelledby="feedback" className={styles["group"]}>
      <div className={styles["about"]}>
        <h2 className={styles["title"]} id="feedback">
          What visitors think
        </h2>
        <p>Press a thumb under an answer, or the stars of a chat that the team has closed.</p>
      </div>
      <p>
        {up} found an answer helpful, {down} did not.{" "}
        {rating === null
          ? "No chat has been rated yet."
          : `${ratings} rated their chat: ${rating.toFixed(1)} of 5.`}
      </p>
    </section>
  );
}
