/** The shop alone as a process whose output is kept, in front of a channel that runs already. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { hideSettingsFiles } from "../../scripts/environment.ts";
import { keep, startCollector, watchingArguments } from "./records.ts";
import { freePort, testKeys } from "./world.ts";

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
  env?: Record<string, string>;
}

export async function startShop({ channel, port, env }: ShopProcessOptions): Promise<ShopProcess> {
  const listening = port ?? (await freePort());
  const origin = `http://localhost:${listening}`;
  const pieces: Buffer[] = [];
  const next = ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(listening)];
  const collector = await startCollector();
  const child: ChildProcess = spawn(process.execPath, [...watchingArguments, ...next], {
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
      SESSION_SECRET: testKeys.sessionSecret,
      LOG_LEVEL: "trace",
      ...(collector === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
      E2E_RECORDS: process.env["E2E_RECORDS"],
      ...env,
    }),
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (piece: Buffer) => {
      pieces.push(piece);
      keep("logs", piece);
    });
  }
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void ended.then(() => collector?.close());
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
