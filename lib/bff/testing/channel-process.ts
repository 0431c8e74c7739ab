/**
 * A real channel for tests: a child process with its lab enabled. Vitest starts one for all files of
 * `with-channel/` (global setup).
 */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { type ChannelKeys, startChannelProgram } from "../../../processes/channel-program.ts";
import { demoChannel } from "../../../processes/environment.ts";
import { newChannelFolder } from "../../../testing/processes/channel-folder.ts";

interface ChannelAccess extends ChannelKeys {
  channelUrl: string;
}

declare module "vitest" {
  interface ProvidedContext {
    channel: ChannelAccess;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await newChannelFolder();
  const keys: ChannelKeys = {
    channelKey: "dep_bff_tests",
    chatKey: `ck_${randomBytes(16).toString("hex")}`,
    teamKey: `tk_${randomBytes(16).toString("hex")}`,
  };
  const { program, url } = await startChannelProgram(keys, {
    folder,
    stdout: "ignore",
    env: { ...demoChannel, CHANNEL_LAB: "1", CHANNEL_AGENT_PACE: "0", LOG_LEVEL: "error" },
  });
  project.provide("channel", { ...keys, channelUrl: url });
  return async () => {
    await program.stop("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  };
}
