/**
 * The programs under test as real processes: an embedded channel in a folder of its own and the production build of
 * the shop in front of it. Test files that kill or slow a process start a world of their own.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Collector, keep, logDestination, startCollector, watchingArguments } from "./records.ts";

const root = join(import.meta.dirname, "..", "..");

/** Keys of channels that live for one test run on loopback. */
export const testKeys = {
  channelKey: "dep_e2e_shop",
  chatKey: "ck_e2e_only_for_the_tests_of_this_tree",
  teamKey: "tk_e2e_only_for_the_tests_of_this_tree",
  sessionSecret: "e2e session secret only for the tests of this tree",
} as const;

export interface WorldOptions {
  port?: number;
  channelPort?: number;
  /** A channel that runs elsewhere: only the shop is started, in front of it. */
  liveChannel?: { baseUrl: string; channelKey: string; chatKey: string };
  /** Added to both programs' environment. */
  env?: Record<string, string>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

function ask(url: string): Promise<Response | null> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
}

/** A program of another run would be taken for the one under test. */
async function refuseTaken(url: string, what: string): Promise<void> {
  if ((await ask(url)) === null) return;
  throw new Error(
    `At ${url} something else answers already, perhaps of another run: ${what} cannot start there`,
  );
}

async function untilAnswering(url: string, child: ChildProcess, what: string): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${what} ended before it was ready`);
    if ((await ask(url))?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not answer at ${url}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once("exit", resolve));
}

/** A run or a worker of it that ends before its worlds are stopped must not leave their programs behind. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export class World {
  readonly shopUrl: string;
  readonly channelUrl: string;
  readonly channelKey: string;
  readonly chatKey: string;
  readonly teamKey = testKeys.teamKey;
  readonly #folder = mkdtempSync(join(tmpdir(), "shop-chat-e2e-"));
  readonly #env: NodeJS.ProcessEnv;
  #channel: ChildProcess | undefined;
  #shop: ChildProcess | undefined;
  readonly #collector: Collector | undefined;

  private constructor(
    port: number,
    channelPort: number,
    options: WorldOptions,
    collector: Collector | undefined,
  ) {
    const { liveChannel, env = {} } = options;
    this.shopUrl = `http://localhost:${port}`;
    this.channelUrl = liveChannel?.baseUrl ?? `http://127.0.0.1:${channelPort}`;
    this.channelKey = liveChannel?.channelKey ?? testKeys.channelKey;
    this.chatKey = liveChannel?.chatKey ?? testKeys.chatKey;
    this.#env = {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      CHANNEL_PORT: String(channelPort),
      APP_ORIGIN: this.shopUrl,
      CHANNEL_SHOP_ORIGIN: this.shopUrl,
      CHANNEL_DATA_DIR: this.#folder,
      CHANNEL_LAB: "1",
      CHANNEL_AGENT_PACE: "5",
      CHANNEL_AUTO_TEAMMATE: "0",
      CHANNEL_TEAM_KEY: this.teamKey,
      CHAT_BASE_URL: this.channelUrl,
      CHAT_CHANNEL_KEY: this.channelKey,
      CHAT_KEY: this.chatKey,
      SESSION_SECRET: testKeys.sessionSecret,
      LOG_LEVEL: collector === undefined ? "warn" : "info",
      ...(collector === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
      ...env,
    };
    this.#collector = collector;
  }

  static start(options: WorldOptions = {}): Promise<World> {
    return World.#create(options, async (world) => {
      if (options.liveChannel === undefined) await world.startChannel();
      await world.startShop();
    });
  }

  /** The channel alone, for tests that speak to nothing else. */
  static startWithoutShop(options: WorldOptions = {}): Promise<World> {
    return World.#create(options, (world) => world.startChannel());
  }

  static async #create(options: WorldOptions, start: (world: World) => Promise<void>): Promise<World> {
    const [port, channelPort] = [
      options.port ?? (await freePort()),
      options.channelPort ?? (await freePort()),
    ];
    const world = new World(port, channelPort, options, await startCollector());
    try {
      await start(world);
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  #spawn(what: string, args: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: this.#env,
      stdio: ["ignore", logDestination(), "pipe"],
    });
    running.add(child);
    child.once("exit", () => {
      running.delete(child);
      if (!child.killed) process.stderr.write(`${what} has ended by itself\n`);
    });
    child.stderr?.on("data", (piece: Buffer) => {
      process.stderr.write(piece);
      keep("logs", piece);
    });
    return child;
  }

  async startChannel(): Promise<void> {
    const url = `${this.channelUrl}/healthz`;
    await refuseTaken(url, "the channel");
    this.#channel = this.#spawn("the channel", ["channel/main.ts"]);
    await untilAnswering(url, this.#channel, "the channel");
  }

  async startShop(): Promise<void> {
    const url = `${this.shopUrl}/api/health/live`;
    await refuseTaken(url, "the shop");
    const port = new URL(this.shopUrl).port;
    const next = ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", port];
    this.#shop = this.#spawn("the shop", [...watchingArguments, ...next]);
    await untilAnswering(url, this.#shop, "the shop");
  }

  async killChannel(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.#channel?.kill(signal);
    if (this.#channel !== undefined) await ended(this.#channel);
  }

  async killShop(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.#shop?.kill(signal);
    if (this.#shop !== undefined) await ended(this.#shop);
  }

  async stop(): Promise<void> {
    await this.killShop("SIGTERM");
    await this.killChannel("SIGTERM");
    this.#collector?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
