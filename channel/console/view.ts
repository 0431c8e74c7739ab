/** The data that all pages of the console share. */
import type { ModeCounts } from "../team/team-chat.ts";

export type Section = "inbox" | "requests" | "hours" | "lab";

export interface ConsoleView {
  channelKey: string;
  /** The channel's time; the lab can move it. */
  now: Date;
  /** The time zone of all times: the team's, or UTC if it keeps no hours. */
  timeZone: string;
  /** The teammate at this console. Each console has its own. */
  teammate: string;
  /** The names to choose from; empty if the shop names nobody, so that any name is allowed. */
  members: readonly string[];
  counts: ModeCounts;
  /** The team's hours in one sentence. */
  availability: string;
  labIsOn: boolean;
  /** The outcome of the last action, shown once. */
  notice: { tone: "good" | "bad"; text: string } | null;
}
