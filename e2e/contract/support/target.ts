/** The channel that the tests speak to: a live one named by the environment, or an embedded one of their own. */
import { World } from "../../support/world.ts";
import { send } from "./http.ts";

export interface Target {
  base: URL;
  channelKey: string;
  chatKey: string;
  /**
   * True for a channel that is not of this tree: it may be newer and slower, and other people use it.
   * `CONTRACT_EXACT=1` says that the named channel is one of this tree that was started by hand.
   */
  live: boolean;
  /** True for a channel that all workers speak to. */
  shared: boolean;
  /** Bearer of `/lab` and `/team`; undefined where no lab answers. */
  teamKey: string | undefined;
  stop: () => Promise<void>;
}

async function labAnswers(base: URL, teamKey: string): Promise<boolean> {
  const answer = await send({
    method: "POST",
    base,
    path: "/lab/clock",
    headers: { Authorization: `Bearer ${teamKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ advanceSeconds: 0 }),
    timeoutMilliseconds: 30_000,
  });
  return answer.status === 200;
}

async function liveTarget(baseUrl: string): Promise<Target> {
  const { CHAT_CHANNEL_KEY: channelKey, CHAT_KEY: chatKey, CHANNEL_TEAM_KEY: teamKey } = process.env;
  if (!channelKey || !chatKey) {
    throw new Error("CHAT_BASE_URL is set: CHAT_CHANNEL_KEY and CHAT_KEY must be, too.");
  }
  const base = new URL(baseUrl);
  const hasLab = teamKey !== undefined && teamKey !== "" && (await labAnswers(base, teamKey));
  return {
    base,
    channelKey,
    chatKey,
    shared: true,
    live: process.env["CONTRACT_EXACT"] !== "1",
    teamKey: hasLab ? teamKey : undefined,
    stop: () => Promise.resolve(),
  };
}

/**
 * Embedded: a channel for this worker alone, in memory. The lab turns whole-channel switches (clock, limits, faults),
 * which would disturb everything else that runs against a shared one.
 */
async function ownTarget(): Promise<Target> {
  const world = await World.startWithoutShop({
    env: { CHANNEL_DATABASE_URL: "memory://", CHANNEL_AGENT_PACE: "0" },
  });
  return {
    base: new URL(world.channelUrl),
    channelKey: world.channelKey,
    chatKey: world.chatKey,
    shared: false,
    live: false,
    teamKey: world.teamKey,
    stop: () => world.stop(),
  };
}

export function findTarget(): Promise<Target> {
  const baseUrl = process.env["CHAT_BASE_URL"];
  return baseUrl === undefined || baseUrl === "" ? ownTarget() : liveTarget(baseUrl);
}
