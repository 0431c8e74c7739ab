/** Visitors' feedback on the chat. */
import type { Feedback } from "#lib/bff/server.ts";
import { dataFolder, jsonLines } from "./json-lines.ts";

const feedbackIn = (folder: string) => jsonLines<Feedback>("feedback", folder);

export async function storeFeedback(feedback: Feedback, folder = dataFolder): Promise<void> {
  await feedbackIn(folder).append(feedback);
}

export interface FeedbackSums {
  up: number;
  down: number;
  ratings: number;
  /** The mean of the ratings; null without one. */
  rating: number | null;
}

/** The latest press of each message and each chat counts, so a line that was stored twice changes nothing. */
function sumFeedback(presses: readonly Feedback[]): FeedbackSums {
  const latest = new Map(presses.map((press) => [`${press.chatId} ${press.messageId}`, press]));
  const positive = [...latest.values()].filter(({ value }) => value > 0);
  const ratings = positive.flatMap(({ kind, value }) => (kind === "rating" ? [value] : []));
  const count = (kind: Feedback["kind"]) => positive.filter((feedback) => feedback.kind === kind).length;
  const total = ratings.reduce((sum, value) => sum + value, 0);
  return {
    up: count("up"),
    down: count("down"),
    ratings: ratings.length,
    rating: ratings.length === 0 ? null : total / ratings.length,
  };
}

export async function readFeedbackSums(folder = dataFolder): Promise<FeedbackSums> {
  return sumFeedback(await feedbackIn(folder).read());
}
