/** The shop alone as a process whose output is kept, in front of a channel that runs already. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { hideSettingsFiles } from "../../scripts/environment.ts";
import { freePort } from "./world.ts";

const root = join(import.meta.dirname, "..", "..");
const startTime = 45_000;

export interface ShopProcess {
  origin: string;
  pid: number;
  /** Everything printed so far. */
  output(): string;
  /** Resolves with the milliseconds that it took to end. */
  stop(signal?: NodeJS.Signals): Promise<number>;
  exitCode(): number | null;
}

export interface ShopProcessOptions {
  channel: { baseUrl: string; channelKey: string; chatKey: string };
  port?: number;
  sessionSecret?: string;
  env?: Record<string, string>;
}

export async function startShop({
  channel,
  port,
  sessionSecret,
  env,
}: ShopProcessOptions): Promise<ShopProcess> {
  const listening = port ?? (await freePort());
  const origin = `http://localhost:${listening}`;
  const pieces: Buffer[] = [];
  const args = ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(listening)];
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: hideSettingsFiles({
      NODE_ENV: "production",
      PATH: process.env["PATH"],
      PORT: String(listening),
      APP_ORIGIN: origin,
      CHAT_BASE_URL: channel.baseUrl,
      CHAT_CHANNEL_KEY: channel.channelKey,
      CHAT_KEY: channel.chatKey,
      SESSION_SECRET: sessionSecret ?? randomBytes(32).toString("base64url"),
      LOG_LEVEL: "trace",
      ...env,
    }),
  });
  child.stdout?.on("data", (piece: Buffer) => pieces.push(piece));
  child.stderr?.on("data", (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const output = () => Buffer.concat(pieces).toString("utf8");

  const deadline = Date.now() + startTime;
  for (let ready = false; !ready; ) {
    if (child.exitCode !== null) break;
    if (Date.now() > deadline) throw new Error(`The shop was not ready in time:\n${output()}`);
    const answer = await fetch(`${origin}/api/health/live`).catch((refused: unknown) => refused);
    ready = answer instanceof Response && answer.ok;
    if (!ready) await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    origin,
    pid: child.pid ?? 0,
    output,
    exitCode: () => child.exitCode,
    async stop(signal = "SIGTERM") {
      const asked = performance.now();
      child.kill(signal);
      await ended;
      return performance.now() - asked;
    },
  };
}
