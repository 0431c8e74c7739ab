import { connection } from "next/server";
import { Suspense } from "react";
import { readFeedbackSums } from "#lib/shop/server/feedback.ts";
import { TryGroup } from "./try-group.tsx";

/** Sums of visitors' feedback by the thumbs under the answers, and about closed chats. */
export function FeedbackSums() {
  return (
    <TryGroup
      about="Press a thumb under an answer, or the stars of a chat that the team has closed."
      id="feedback"
      title="What visitors think"
    >
      <Suspense fallback={<p>Counting …</p>}>
        <Sums />
      </Suspense>
    </TryGroup>
  );
}

async function Sums() {
  // On each request, not in the build.
  await connection();
  const { up, down, ratings, rating } = await readFeedbackSums();
  return (
    <p>
      {up} found an answer helpful, {down} did not.{" "}
      {rating === null
        ? "No chat has been rated yet."
        : `${ratings} rated their chat: ${rating.toFixed(1)} of 5.`}
    </p>
  );
}
