/** The pages' view of the channel, and the person who looks at it. */
import type { Fault } from "../lab/faults.ts";
import type { ModeCounts, TeamChat, TeamChatSummary } from "../team/team-inbox.ts";
import type { ChannelClient } from "./channel-client.ts";

/** `GET /lab` */
export interface LabState {
  now: string;
  published: boolean;
  suspended: boolean;
  limits: Record<string, number>;
  faults: readonly Fault[];
}

export interface ConsoleView {
  client: ChannelClient;
  /** The path of the channel's pages. */
  base: string;
  /** The key of a channel that the lab has created; undefined for the first one. */
  channelKey: string | undefined;
  /** The channel's time; the lab can move it. */
  now: Date;
  /** The time zone in which chats show times: the team's, or UTC if it keeps no hours. */
  timeZone: string;
  hours: { timeZone: string } | null;
  nextAvailableAt: string | null;
  /** The teammate at this browser, whose cookie holds the name. */
  teammate: string;
  /** The names to choose from; empty if the shop names nobody, so that any name is allowed. */
  members: readonly string[];
  counts: ModeCounts;
  chats: readonly TeamChatSummary[];
  /** Undefined without the lab. */
  lab: LabState | undefined;
  /** The outcome of the last action, shown once. */
  notice: { tone: "good" | "bad"; text: string } | null;
}

export type { TeamChat, TeamChatSummary };
