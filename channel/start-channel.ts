/**
 * A channel for tests, in the test's process: `await using channel = await startChannel()`. In memory, on a
 * free port, with the lab and without a pace, unless the options say otherwise.
 */
import { randomBytes } from "node:crypto";
import pino from "pino";
import type { Agent } from "./agents/agent.ts";
import { loadAgent } from "./agents/load-agent.ts";
import { createChannels } from "./channels.ts";
import { openDatabase } from "./db/open-database.ts";
import { listen } from "./http/server.ts";
import { type ImportedChat, Lab } from "./lab/lab-client.ts";
import { SeedBody } from "./lab/lab-requests.ts";

export type { Agent, AgentEvent, AgentTurn, FormRequest } from "./agents/agent.ts";
export * from "./lab/lab-client.ts";

export interface StartOptions {
  /** 0, the default: any free port. */
  port?: number;
  host?: string;
  /** `memory://` by default, a folder, or `postgres://…`. */
  database?: string;
  /** The sandbox agent by default; `none` if the test scripts every reply. */
  agent?: "sandbox" | "none" | Agent;
  /** Milliseconds between two words of a streamed reply; 0 by default. */
  pace?: number;
  channelKey?: string;
  chatKey?: string;
  teamKey?: string;
  /** The chats to begin with, and to return to with `reset`. */
  seed?: { chats: readonly ImportedChat[] };
}

export interface StartedChannel extends AsyncDisposable {
  url: string;
  channelKey: string;
  chatKey: string;
  /** The key of `/team`, `/lab` and the console. */
  teamKey: string;
  lab: Lab;
  /** Answers a request to `url` without the network. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Resolves once no chat but the seed's, no fault and no changed setting is left. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const secret = (prefix: string) => `${prefix}${randomBytes(24).toString("base64url")}`;

export async function startChannel(options: StartOptions = {}): Promise<StartedChannel> {
  const { host = "127.0.0.1", port = 0, agent = "sandbox", pace = 0 } = options;
  const keys = {
    channelKey: options.channelKey ?? "dep_sandbox",
    chatKey: options.chatKey ?? secret("ck_"),
    teamKey: options.teamKey ?? secret("tk_"),
  };
  const agentOptions = { shopOrigin: "http://localhost:3000", agentPace: pace, model: undefined };
  const database = await openDatabase(options.database ?? "memory://", { hasLab: true });
  const channel = await createChannels({
    ...keys,
    database,
    lab: "here",
    agent: typeof agent === "string" ? await loadAgent(agent, agentOptions) : agent,
    seed: options.seed === undefined ? undefined : SeedBody.parse(options.seed),
    log: pino({ level: "silent" }),
    notifyTeam: () => Promise.resolve(),
  });
  await channel.seed();
  const server = await listen(channel.fetch, { host, port });
  channel.start();
  const url = `http://${host}:${server.port}`;
  const respond = (request: Request) => channel.fetch(request);
  const lab = new Lab({ channelUrl: url, teamKey: keys.teamKey }, respond);

  async function close(): Promise<void> {
    await channel.stop(0);
    await server.close(0);
    await database.close();
  }
  return {
    ...keys,
    url,
    lab,
    fetch: (input, init) => respond(new Request(input, init)),
    reset: () => lab.reset(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
