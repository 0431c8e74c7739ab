/**
 * A real channel for tests: the program itself as a child process, in memory, with its lab on. Vitest starts it once for
 * all files of `with-channel/` (global set-up).
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

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

const root = join(import.meta.dirname, "..", "..", "..");
const startTime = 90_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port is free");
  return address.port;
}

export interface RunningChannel extends ChannelAccess {
  stop(): Promise<void>;
}

export async function startChannel(environment: Record<string, string> = {}): Promise<RunningChannel> {
  const port = await freePort();
  const access: ChannelAccess = {
    baseUrl: `http://127.0.0.1:${port}`,
    channelKey: "dep_bff_tests",
    chatKey: `ck_${randomBytes(16).toString("hex")}`,
    teamKey: `tk_${randomBytes(16).toString("hex")}`,
  };
  const child = spawn(process.execPath, ["channel/main.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      NODE_ENV: "test",
      PATH: process.env["PATH"],
      CHANNEL_PORT: String(port),
      CHANNEL_DATABASE_URL: "memory://",
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
  // Shown only where the start fails: faults that a test has ordered are nobody's concern.
  const complaints: Buffer[] = [];
  child.stderr.on("data", (piece: Buffer) => complaints.push(piece));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await Promise.race([
    untilReady(`${access.baseUrl}/healthz`),
    ended.then(() => Promise.reject(new Error(`The channel did not start:\n${Buffer.concat(complaints)}`))),
  ]);
  return {
    ...access,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function untilReady(address: string): Promise<void> {
  for (const deadline = Date.now() + startTime; Date.now() < deadline; ) {
    const answer = await fetch(address).catch((refused: unknown) => refused);
    if (answer instanceof Response && answer.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The channel was not ready in time");
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...access } = await startChannel();
  project.provide("channel", access);
  return stop;
}
