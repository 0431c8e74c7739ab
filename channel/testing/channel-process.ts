/** Runs the channel as a separate process, for tests that kill it at a chosen point. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Message } from "#lib/chat-api/message.ts";
import { startChannelProgram } from "../../processes/channel-program.ts";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { channelClient } from "../../testing/channel-client.ts";
import { newChannelFolder } from "../../testing/processes/channel-folder.ts";
import { createDatabase } from "../../testing/services/postgres-server.ts";
import { testKeys } from "../../testing/test-keys.ts";
import { Lab } from "../lab/lab-client.ts";
import { root } from "../root.ts";
import { postgresUrl } from "./test-database.ts";

const { channelKey, chatKey } = testKeys;

/** The data that survives the process: its database and its keys. */
export interface ProcessHome {
  databaseUrl: string;
  dataDir: string;
}

/** Creates a data folder and a database on the engine under test. Removes the folder after the test. */
export async function newHome(): Promise<ProcessHome> {
  const isPglite = postgresUrl === "";
  const dataDir = isPglite ? await newChannelFolder() : await mkdtemp(join(tmpdir(), "shop-chat-crash-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return { dataDir, databaseUrl: isPglite ? join(dataDir, "channel") : await newPostgresDatabase() };
}

/** Creates a database on the PostgreSQL server under test. */
export function newPostgresDatabase(): Promise<string> {
  return createDatabase(postgresUrl, `crash_${randomBytes(8).toString("hex")}`);
}

export class ChannelProcess {
  readonly url: string;
  readonly lab: Lab;
  readonly #client: ReturnType<typeof channelClient>;
  readonly #program: Program;

  private constructor({ program, url }: { program: Program; url: string }) {
    this.#program = program;
    this.url = url;
    this.lab = new Lab({ channelUrl: url, ...testKeys });
    this.#client = channelClient({ channelUrl: url, ...testKeys }, { retry: { delay: () => null } });
  }

  /** Starts the channel, by default on a free port; rejects if it exits before it is ready. */
  static async start(
    home: ProcessHome,
    options: { killAt?: string; port?: number; env?: Record<string, string> } = {},
  ): Promise<ChannelProcess> {
    const started = await startChannelProgram(testKeys, {
      folder: home.dataDir,
      port: options.port,
      onEnd: () => undefined,
      env: {
        CHANNEL_DATABASE_URL: home.databaseUrl,
        CHANNEL_LAB: "1",
        CHANNEL_AGENT_PACE: "5",
        ...(options.killAt === undefined ? {} : { CHANNEL_KILL_AT: options.killAt }),
        ...options.env,
      },
    });
    onTestFinished(() => started.program.stop("SIGKILL"));
    return new ChannelProcess(started);
  }

  /** Resolves with the exit code, or the signal that ended the process. */
  get ended(): Promise<NodeJS.Signals | number> {
    return this.#program.ended;
  }

  get logLines(): string[] {
    return this.#program.output().split("\n");
  }

  signal(signal: NodeJS.Signals): void {
    this.#program.signal(signal);
  }

  /** Sends a request below the channel's address. */
  request(path: string, init: RequestInit & { key?: string } = {}): Promise<Response> {
    const { key, ...rest } = init;
    const headers = new Headers(rest.headers);
    headers.set("authorization", `Bearer ${chatKey}`);
    if (rest.body !== undefined && !headers.has("content-type") && typeof rest.body === "string")
      headers.set("content-type", "application/json");
    if (rest.body !== undefined) headers.set("idempotency-key", key ?? randomUUID());
    const method = rest.body === undefined ? "GET" : "POST";
    return fetch(`${this.url}/v1/channels/${channelKey}${path}`, { method, ...rest, headers });
  }

  async createChat(): Promise<string> {
    return (await this.#client.createChat({}, { idempotencyKey: randomUUID() })).item.id;
  }

  async listed(chatId: string): Promise<readonly Message[]> {
    return (await this.#client.listMessages(chatId, { limit: 50 })).items;
  }
}

/** Starts the program and returns what it prints until it ends with exit code 1. */
export async function failedStart(
  env: Record<string, string>,
  args = [join(root, "channel", "main.ts")],
  executable = process.execPath,
): Promise<string> {
  const port = await freePort();
  const program = new Program({
    name: "the channel",
    program: executable,
    args,
    healthUrl: `http://127.0.0.1:${port}/healthz`,
    env: { NODE_ENV: "test", CHANNEL_PORT: String(port), ...env },
    onEnd: () => undefined,
  });
  onTestFinished(() => program.stop("SIGKILL"));
  expect(await program.ended).toBe(1);
  expect(program.output()).not.toMatch(/\n {4}at |^The channel cannot start\. \w*Error:/m);
  return program.output();
}

/** A data folder with an empty database, until the test ends. */
export async function newFolder(): Promise<string> {
  const folder = await newChannelFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
