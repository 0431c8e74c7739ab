/** Runs the channel as a separate process, for tests that kill it at a chosen point. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { onTestFinished } from "vitest";
import { openPglite } from "../db/pglite.ts";
import { postgresUrl } from "./test-database.ts";

export const processChannelKey = "dep_crash_test";
const chatKey = "ck_crash_test_key";
export const processTeamKey = "tk_crash_test_key_0123";

/** What survives the process: its database and its keys. */
export interface ProcessHome {
  databaseUrl: string;
  dataDir: string;
}

/** Creates a migrated database on the engine under test, and removes it after the test. */
export async function newHome(): Promise<ProcessHome> {
  const dataDir = await mkdtemp(join(tmpdir(), "shop-chat-crash-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  if (postgresUrl !== "") return { dataDir, databaseUrl: await newPostgresDatabase() };
  const databaseUrl = join(dataDir, "channel");
  await cp(await template(), databaseUrl, { recursive: true });
  return { dataDir, databaseUrl };
}

let templateFolder: Promise<string> | undefined;

/** Migrating takes seconds, so each test file does it once and copies the result. */
function template(): Promise<string> {
  templateFolder ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "shop-chat-crash-template-"));
    const database = await openPglite(folder);
    await database.close();
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  })();
  return templateFolder;
}

/** On the PostgreSQL server under test. */
export async function newPostgresDatabase(): Promise<string> {
  const name = `crash_${randomBytes(8).toString("hex")}`;
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export class ChannelProcess {
  readonly url: string;
  readonly logLines: string[];
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly ended: Promise<NodeJS.Signals | number>;
  readonly #child: ChildProcess;

  private constructor(
    child: ChildProcess,
    url: string,
    logLines: string[],
    ended: Promise<NodeJS.Signals | number>,
  ) {
    this.#child = child;
    this.url = url;
    this.logLines = logLines;
    this.ended = ended;
  }

  /** Starts the channel on a free port; rejects if it exits before it is ready. */
  static async start(
    home: ProcessHome,
    options: { killAt?: string; env?: Record<string, string> } = {},
  ): Promise<ChannelProcess> {
    const child = spawn(process.execPath, ["channel/main.ts"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        NODE_ENV: "test",
        CHANNEL_PORT: "0",
        CHANNEL_DATA_DIR: home.dataDir,
        CHANNEL_DATABASE_URL: home.databaseUrl,
        CHANNEL_LAB: "1",
        CHANNEL_TEAM_KEY: processTeamKey,
        CHANNEL_AGENT_PACE: "5",
        CHAT_CHANNEL_KEY: processChannelKey,
        CHAT_KEY: chatKey,
        ...(options.killAt === undefined ? {} : { CHANNEL_KILL_AT: options.killAt }),
        ...options.env,
      },
    });
    const ended = new Promise<NodeJS.Signals | number>((resolve) => {
      child.once("exit", (code, signal) => resolve(signal ?? code ?? 1));
    });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    const logLines: string[] = [];
    let complaint = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => {
        logLines.push(line);
        const entry: unknown = JSON.parse(line);
        if (typeof entry === "object" && entry !== null && "url" in entry) resolve(String(entry.url));
      });
      void ended.then((how) =>
        reject(new Error(`the channel ended (${how}) before it was ready: ${complaint}`)),
      );
    });
    return new ChannelProcess(child, url, logLines, ended);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
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
