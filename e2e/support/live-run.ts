/**
 * A file of notes that the workers and suites of a live run share: which chats were created, and why no more
 * can be created. `e2e/live/run-live.ts` chooses the file and reports its content at the end.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** One note per line. */
type Event = "chat created" | "plan ended" | "not served";

export interface LiveRun {
  chatsCreated: number;
  /** The channel refused an operation with `chat_limit_reached`. */
  planEnded: boolean;
  /** The channel stopped serving customers: the key, the channel, the workspace or the network is gone. */
  notServed: boolean;
}

export function readLiveRun(file: string): LiveRun {
  const events = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return {
    chatsCreated: events.filter((event) => event === "chat created").length,
    planEnded: events.includes("plan ended"),
    notServed: events.includes("not served"),
  };
}

/** Undefined when the tests run against this repository's channel. */
const fileOfRun = () => process.env["E2E_LIVE_RUN"];

export function note(event: Event): void {
  const file = fileOfRun();
  if (file !== undefined) appendFileSync(file, `${event}\n`);
}

export const noMoreChats = "the shop's plan has no chats left";

/** The reason to skip tests that need a chat; undefined when there is none. */
export function reasonForNoChat(): string | undefined {
  const file = fileOfRun();
  if (file === undefined) return undefined;
  const { planEnded, notServed } = readLiveRun(file);
  if (planEnded) return noMoreChats;
  return notServed ? "the channel no longer serves customers" : undefined;
}
