/** The channel under test: a live one that the environment names, or an embedded one of the tests' own. */
import { sandboxAgent, TestEnvironment } from "../../../testing/processes/test-environment.ts";
import { send } from "./http.ts";

export interface Target {
  base: URL;
  channelKey: string;
  chatKey: string;
  /**
   * True for a channel that is not this repository's: it may be newer or slower, and it has other users.
   * `CONTRACT_EXACT=1` declares a named channel to be this repository's, started by hand.
   */
  live: boolean;
  /** True for a channel that all workers share. */
  shared: boolean;
  /** Bearer token of `/lab` and `/team`; undefined without a lab. */
  teamKey: string | undefined;
  stop: () => Promise<void>;
}

async function labAnswers(base: URL, teamKey: string): Promise<boolean> {
  const response = await send({
    method: "POST",
    base,
    path: "/lab/clock",
    headers: { Authorization: `Bearer ${teamKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ advanceSeconds: 0 }),
    timeoutMilliseconds: 30_000,
  });
  return response.status === 200;
}

async function liveTarget(baseUrl: string): Promise<Target> {
  const { CHAT_CHANNEL_KEY: channelKey, CHAT_KEY: chatKey, CHANNEL_TEAM_KEY: teamKey } = process.env;
  if (!channelKey || !chatKey) {
    throw new Error("CHAT_BASE_URL is set, so CHAT_CHANNEL_KEY and CHAT_KEY are required, too.");
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

/** Starts a channel for this worker alone: the lab's clock, limits and faults affect a whole channel. */
async function ownTarget(): Promise<Target> {
  const environment = await TestEnvironment.startWithoutShop({
    env: { ...sandboxAgent, CHANNEL_AGENT_PACE: "0" },
  });
  return {
    base: new URL(environment.channelUrl),
    channelKey: environment.channelKey,
    chatKey: environment.chatKey,
    shared: false,
    live: false,
    teamKey: environment.teamKey,
    stop: () => environment.stop(),
  };
}

export function findTarget(): Promise<Target> {
  const baseUrl = process.env["CHAT_BASE_URL"];
  return baseUrl === undefined || baseUrl === "" ? ownTarget() : liveTarget(baseUrl);
}
