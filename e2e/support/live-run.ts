/**
 * What a live run has to tell across its workers and its two suites: the chats that it created, and why no further ones
 * can be had. `scripts/test-live.ts` names the file that this is kept in, and says at the end what it found there.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** One a line. */
type Event = "chat created" | "plan ended" | "not served";

export interface LiveRun {
  chatsCreated: number;
  /** The channel refused a chat, or what is done in one, with `chat_limit_reached`. */
  planEnded: boolean;
  /** The channel does not serve customers any more: the key, the channel, the workspace or the network is gone. */
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

/** Undefined where the tests run against a channel of this tree. */
const file = process.env["E2E_LIVE_RUN"];

export function note(event: Event): void {
  if (file !== undefined) appendFileSync(file, `${event}\n`);
}

export const noMoreChats = "the shop's plan has no more chats";

/** Why a test that needs a chat cannot be run; undefined while it can. */
export function reasonForNoChat(): string | undefined {
  if (file === undefined) return undefined;
  const { planEnded, notServed } = readLiveRun(file);
  if (planEnded) return noMoreChats;
  return notServed ? "the channel does not serve customers any more" : undefined;
}
