/** What visitors think of the chat. The demo keeps it in a file; a shop has a database. */
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Feedback } from "#lib/bff/server.ts";

const folder = join(process.cwd(), ".data");
const file = join(folder, "feedback.jsonl");

export async function storeFeedback(feedback: Feedback): Promise<void> {
  await mkdir(folder, { recursive: true });
  await appendFile(file, `${JSON.stringify(feedback)}\n`);
}

export interface FeedbackSums {
  up: number;
  down: number;
  ratings: number;
  /** The mean of the ratings; null without one. */
  rating: number | null;
}

/** The latest press of each message and each chat counts, so a line that was stored twice changes nothing. */
export function sumFeedback(lines: string): FeedbackSums {
  const latest = new Map<string, Feedback>();
  for (const line of lines.split("\n").filter((stored) => stored !== "")) {
    const feedback: Feedback = JSON.parse(line);
    latest.set(`${feedback.chatId} ${feedback.messageId}`, feedback);
  }
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

export async function readFeedbackSums(): Promise<FeedbackSums> {
  const lines = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    // Nobody has pressed yet.
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return sumFeedback(lines);
}
