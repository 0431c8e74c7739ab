/** What every page of the console knows. */
import type { ModeCounts } from "../team/team-chat.ts";

export type Section = "inbox" | "requests" | "hours" | "lab";

export interface ConsoleView {
  channelKey: string;
  /** The channel's time; the lab can move it. */
  now: Date;
  /** The zone in which times are written: the team's, or UTC where it keeps no hours. */
  timeZone: string;
  /** The teammate at this console. Each console has its own. */
  teammate: string;
  /** Whom one can be; empty where the shop names nobody, and any name will do. */
  members: readonly string[];
  counts: ModeCounts;
  /** The team's hours in one sentence. */
  availability: string;
  labIsOn: boolean;
  /** What the last action did, or why it did not, once. */
  notice: { tone: "good" | "bad"; text: string } | null;
}
