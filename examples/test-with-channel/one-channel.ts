/**
 * One channel for all workers: the one that runs at `CHANNEL_URL`, which keeps the channel of a failed test
 * for its console, or else one in the process of Vitest.
 */
import { startChannel } from "shop-chat-channel";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    lab: { channelUrl: string; teamKey: string; keeps: boolean };
  }
}

export default async function setUp(project: TestProject): Promise<void | (() => Promise<void>)> {
  const { CHANNEL_URL: channelUrl, CHANNEL_TEAM_KEY: teamKey = "" } = process.env;
  if (channelUrl !== undefined) return project.provide("lab", { channelUrl, teamKey, keeps: true });
  const channel = await startChannel();
  project.provide("lab", { channelUrl: channel.url, teamKey: channel.teamKey, keeps: false });
  return async () => {
    const left = await channel.lab.channels();
    await channel.close();
    if (left.length > 0) throw new Error(`${left.length} tests have left their channel behind`);
  };
}
