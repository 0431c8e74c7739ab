/**
 * A real channel for tests: a child process with its lab on. Vitest starts one for all files of
 * `with-channel/` (global setup).
 */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { newChannelFolder } from "../../../testing/processes/channel-folder.ts";
import { freePort, Program } from "../../../testing/processes/program.ts";

export interface ChannelAccess {
  baseUrl: string;
  channelKey: string;
  chatKey: string;
  teamKey: string;
}

declare module "vitest" {
  interface ProvidedContext {
    channel: ChannelAccess;
  }
}

export interface RunningChannel extends ChannelAccess {
  stop(): Promise<void>;
}

export async function startChannel(environment: Record<string, string> = {}): Promise<RunningChannel> {
  const [folder, port] = [await newChannelFolder(), await freePort()];
  const access: ChannelAccess = {
    baseUrl: `http://127.0.0.1:${port}`,
    channelKey: "dep_bff_tests",
    chatKey: `ck_${randomBytes(16).toString("hex")}`,
    teamKey: `tk_${randomBytes(16).toString("hex")}`,
  };
  const program = await Program.start({
    name: "the channel",
    healthUrl: `${access.baseUrl}/healthz`,
    args: ["channel/main.ts"],
    stdout: "ignore",
    env: {
      NODE_ENV: "test",
      PATH: process.env["PATH"],
      CHANNEL_PORT: String(port),
      CHANNEL_DATA_DIR: folder,
      CHANNEL_LAB: "1",
      CHANNEL_AGENT_PACE: "0",
      CHANNEL_AUTO_TEAMMATE: "0",
      CHAT_CHANNEL_KEY: access.channelKey,
      CHAT_KEY: access.chatKey,
      CHANNEL_TEAM_KEY: access.teamKey,
      LOG_LEVEL: "error",
      ...environment,
    },
  });
  return {
    ...access,
    async stop() {
      await program.stop("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...access } = await startChannel();
  project.provide("channel", access);
  return stop;
}
