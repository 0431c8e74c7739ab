/** One channel for all workers, in the process of Vitest. */
import { startChannel } from "shop-chat-channel";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    lab: { channelUrl: string; teamKey: string };
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const channel = await startChannel();
  project.provide("lab", { channelUrl: channel.url, teamKey: channel.teamKey });
  return async () => {
    const left = await channel.lab.channels();
    await channel.close();
    if (left.length > 0) throw new Error(`${left.length} tests have left their channel behind`);
  };
}
