/** Runs the channel as a separate process, for tests that kill it at a chosen point. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { newChannelFolder } from "../../testing/processes/channel-folder.ts";
import { startChannelProgram } from "../../testing/processes/channel-program.ts";
import type { Program } from "../../testing/processes/program.ts";
import { createDatabase } from "../../testing/services/postgres-server.ts";
import { postgresUrl } from "./test-database.ts";

export const processChannelKey = "dep_crash_test";
const chatKey = "ck_crash_test_key";
export const processTeamKey = "tk_crash_test_key_0123";

/** The data that survives the process: its database and its keys. */
export interface ProcessHome {
  databaseUrl: string;
  dataDir: string;
}

/** Creates a migrated database on the engine under test, and removes it after the test. */
export async function newHome(): Promise<ProcessHome> {
  const isPglite = postgresUrl === "";
  const dataDir = isPglite ? await newChannelFolder() : await mkdtemp(join(tmpdir(), "shop-chat-crash-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return { dataDir, databaseUrl: isPglite ? join(dataDir, "channel") : await newPostgresDatabase() };
}

/** On the PostgreSQL server under test. */
export function newPostgresDatabase(): Promise<string> {
  return createDatabase(postgresUrl, `crash_${randomBytes(8).toString("hex")}`);
}

export class ChannelProcess {
  readonly url: string;
  readonly #program: Program;

  private constructor({ program, url }: { program: Program; url: string }) {
    this.#program = program;
    this.url = url;
  }

  /** Starts the channel on a free port; rejects if it exits before it is ready. */
  static async start(
    home: ProcessHome,
    options: { killAt?: string; env?: Record<string, string> } = {},
  ): Promise<ChannelProcess> {
    const keys = { channelKey: processChannelKey, chatKey, teamKey: processTeamKey };
    const started = await startChannelProgram(keys, {
      folder: home.dataDir,
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
    return fetch(`${this.url}/v1/channels/${processChannelKey}${path}`, { method, ...rest, headers });
  }

  /** Posts below the server's root with the team key: `/lab`, `/team`. */
  team(path: string, body: unknown): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${processTeamKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  async createChat(): Promise<string> {
    const response = await this.request("/chats", { body: "{}" });
    const { item } = (await response.json()) as { item: { id: string } };
    return item.id;
  }

  async listed(chatId: string): Promise<{ role: string; text: string; createdAt: string }[]> {
    const response = await this.request(`/chats/${chatId}/messages?limit=50`);
    const { items } = (await response.json()) as {
      items: { role: string; text: string; createdAt: string }[];
    };
    return items;
  }
}
