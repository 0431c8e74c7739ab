/** Visitors' feedback on the chat. The demo keeps it in two files; a shop has a database. */
import { appendFile, mkdir, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Feedback } from "#lib/bff/server.ts";

const dataFolder = join(process.cwd(), ".data");
/** A full file replaces the earlier one, so a page that shows the sums reads at most two of this size. */
const fullFileBytes = 256 * 1024;

const filesIn = (folder: string) => ({
  current: join(folder, "feedback.jsonl"),
  earlier: join(folder, "feedback.earlier.jsonl"),
});

/** The value that `otherwise` gives if there is no such file. */
async function unlessMissing<T, U>(found: Promise<T>, otherwise: U): Promise<T | U> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return otherwise;
    throw error;
  });
}

export async function storeFeedback(feedback: Feedback, folder = dataFolder): Promise<void> {
  const { current, earlier } = filesIn(folder);
  await mkdir(folder, { recursive: true });
  const found = await unlessMissing(stat(current), null);
  // Two presses that find it full at once may both rename it: the sums then begin anew.
  if (found !== null && found.size >= fullFileBytes) await unlessMissing(rename(current, earlier), undefined);
  // Begins with a line break, so that it does not continue a line that a crash cut short.
  await appendFile(current, `\n${JSON.stringify(feedback)}`, { mode: 0o600 });
}

export interface FeedbackSums {
  up: number;
  down: number;
  ratings: number;
  /** The mean of the ratings; null without one. */
  rating: number | null;
}

/** Undefined for a line that a crash cut short. */
function parseLine(line: string): Feedback | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The latest press of each message and each chat counts, so a line that was stored twice changes nothing. */
function sumFeedback(lines: string): FeedbackSums {
  const latest = new Map<string, Feedback>();
  for (const line of lines.split("\n")) {
    const feedback = parseLine(line);
    if (feedback !== undefined) latest.set(`${feedback.chatId} ${feedback.messageId}`, feedback);
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

export async function readFeedbackSums(folder = dataFolder): Promise<FeedbackSums> {
  const { current, earlier } = filesIn(folder);
  const read = (file: string) => unlessMissing(readFile(file, "utf8"), "");
  return sumFeedback(`${await read(earlier)}\n${await read(current)}`);
}
