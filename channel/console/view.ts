/** The data that all pages of the console share. */
import type { ModeCounts } from "../team/team-inbox.ts";

export type Section = "inbox" | "requests" | "lab";

export interface ConsoleView {
  channelKey: string;
  /** The channel's time; the lab can move it. */
  now: Date;
  /** The time zone in which chats show times: the team's, or UTC if it keeps no hours. */
  timeZone: string;
  /** The teammate at this browser, whose cookie holds the name. */
  teammate: string;
  /** The names to choose from; empty if the shop names nobody, so that any name is allowed. */
  members: readonly string[];
  counts: ModeCounts;
  /** The team's current availability in one sentence. */
  availability: string;
  labIsOn: boolean;
  /** The outcome of the last action, shown once. */
  notice: { tone: "good" | "bad"; text: string } | null;
}
