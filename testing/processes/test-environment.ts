/**
 * The programs under test as real processes: an embedded channel with its own data folder and the shop's
 * production build. Test files that kill or slow down a process start their own environment.
 */
import { rm } from "node:fs/promises";
import { demoChannel, nextArguments } from "../../processes/environment.ts";
import { freePort } from "../../processes/free-port.ts";
import { expectUnused, Program } from "../../processes/program.ts";
import {
  type Collector,
  keep,
  logDestination,
  startCollector,
  watchingArguments,
} from "../records/records.ts";
import { testKeys } from "../test-keys.ts";
import { newChannelFolder } from "./channel-folder.ts";

export interface TestEnvironmentOptions {
  port?: number;
  channelPort?: number;
  /** An external channel. Only the shop is started, in front of it. */
  liveChannel?: { channelUrl: string; channelKey: string; chatKey: string };
  /** Extra environment variables of both programs. */
  env?: Record<string, string>;
}

/**
 * The agent of tests whose replies do not depend on the shop: the demo's agent takes seconds of CPU time to
 * start.
 */
export const sandboxAgent = { CHANNEL_AGENT: "sandbox" } as const;

export class TestEnvironment {
  readonly shopUrl: string;
  readonly channelUrl: string;
  readonly channelKey: string;
  readonly chatKey: string;
  readonly teamKey = testKeys.teamKey;
  /** Undefined in front of an external channel. */
  readonly #folder: string | undefined;
  readonly #env: NodeJS.ProcessEnv;
  #channel: Program | undefined;
  #shop: Program | undefined;
  readonly #collector: Collector | undefined;

  private constructor(
    options: TestEnvironmentOptions,
    parts: {
      port: number;
      channelPort: number;
      folder: string | undefined;
      collector: Collector | undefined;
    },
  ) {
    const { liveChannel, env = {} } = options;
    const { port, channelPort, folder, collector } = parts;
    this.#folder = folder;
    this.shopUrl = `http://localhost:${port}`;
    this.channelUrl = liveChannel?.channelUrl ?? `http://127.0.0.1:${channelPort}`;
    this.channelKey = liveChannel?.channelKey ?? testKeys.channelKey;
    this.chatKey = liveChannel?.chatKey ?? testKeys.chatKey;
    this.#env = {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      CHANNEL_PORT: String(channelPort),
      APP_ORIGIN: this.shopUrl,
      ...(folder === undefined ? {} : { CHANNEL_DATA_DIR: folder }),
      ...demoChannel,
      CHANNEL_LAB: "1",
      CHANNEL_AGENT_PACE: "5",
      CHANNEL_TEAM_KEY: this.teamKey,
      DEMO_LAB_KEY: this.teamKey,
      CHAT_BASE_URL: this.channelUrl,
      CHAT_CHANNEL_KEY: this.channelKey,
      CHAT_KEY: this.chatKey,
      SESSION_SECRET: testKeys.sessionSecret,
      // Turns off the limits per address, because all test customers share this machine's address.
      TRUST_PROXY_HOPS: "2",
      // All tests share the demo's four customers.
      DEMO_IS_SHARED: "1",
      LOG_LEVEL: collector === undefined ? "warn" : "info",
      ...(collector === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
      ...env,
    };
    this.#collector = collector;
  }

  static start(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
    return TestEnvironment.#create(options, async (environment) => {
      if (options.liveChannel === undefined) await environment.startChannel();
      await environment.startShop();
    });
  }

  /** Starts the channel alone. */
  static startWithoutShop(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
    return TestEnvironment.#create(options, (environment) => environment.startChannel());
  }

  static async #create(
    options: TestEnvironmentOptions,
    start: (environment: TestEnvironment) => Promise<void>,
  ): Promise<TestEnvironment> {
    const environment = new TestEnvironment(options, {
      port: options.port ?? (await freePort()),
      channelPort: options.channelPort ?? (await freePort()),
      folder: options.liveChannel === undefined ? await newChannelFolder() : undefined,
      collector: await startCollector(),
    });
    try {
      await start(environment);
    } catch (error) {
      await environment.stop();
      throw error;
    }
    return environment;
  }

  async #start(name: string, healthUrl: string, args: readonly string[]): Promise<Program> {
    await expectUnused(healthUrl, name);
    return Program.start({
      name,
      healthUrl,
      args,
      env: this.#env,
      stdout: logDestination(),
      onOutput(piece) {
        process.stderr.write(piece);
        keep("logs", piece);
      },
    });
  }

  async startChannel(): Promise<void> {
    this.#channel = await this.#start("the channel", `${this.channelUrl}/healthz`, ["channel/main.ts"]);
  }

  async startShop(): Promise<void> {
    const args = [...watchingArguments, ...nextArguments("start", { port: new URL(this.shopUrl).port })];
    this.#shop = await this.#start("the shop", `${this.shopUrl}/api/chat/health/live`, args);
  }

  async killChannel(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    await this.#channel?.stop(signal);
  }

  async killShop(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    await this.#shop?.stop(signal);
  }

  async stop(): Promise<void> {
    await this.killShop("SIGTERM");
    await this.killChannel("SIGTERM");
    this.#collector?.close();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}
