/** The production build of the shop alone, in front of a running channel. Keeps its output. */

import { nextArguments } from "../../processes/environment.ts";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { keep, startCollector, watchingArguments } from "../records/records.ts";
import { testKeys } from "../test-keys.ts";
import { hideSettingsFiles } from "./settings-files.ts";

export type ShopProcess = Awaited<ReturnType<typeof startShop>>;

export interface ShopProcessOptions {
  channel: { channelUrl: string; channelKey: string; chatKey: string };
  port?: number;
  env?: Record<string, string>;
}

export async function startShop({ channel, port, env }: ShopProcessOptions) {
  const listening = port ?? (await freePort());
  const origin = `http://localhost:${listening}`;
  const collector = await startCollector();
  const program = await Program.start({
    name: "the shop",
    healthUrl: `${origin}/api/chat/health/live`,
    args: [...watchingArguments, ...nextArguments("start", { port: listening })],
    env: hideSettingsFiles({
      NODE_ENV: "production",
      PORT: String(listening),
      APP_ORIGIN: origin,
      CHAT_BASE_URL: channel.channelUrl,
      CHAT_CHANNEL_KEY: channel.channelKey,
      CHAT_KEY: channel.chatKey,
      SESSION_SECRET: testKeys.sessionSecret,
      DEMO_IS_SHARED: "1",
      LOG_LEVEL: "trace",
      ...(collector === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
      E2E_RECORDS: process.env["E2E_RECORDS"],
      CHAT_DIRECT: process.env["CHAT_DIRECT"],
      ...env,
    }),
    onOutput: (piece) => keep("logs", piece),
  });
  void program.ended.then(() => collector?.close());
  return {
    origin,
    /** All output so far. */
    output: () => program.output(),
    exitCode: () => program.exitCode,
    stop: (signal?: NodeJS.Signals) => program.stop(signal),
  };
}
