/** Loads the agent that `CHANNEL_AGENT` names: one of the channel's own, or a module by its path. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { StartError } from "../errors.ts";
import type { Agent } from "./agent.ts";
import { createSandboxAgent } from "./sandbox-agent.ts";

/** A language model behind any endpoint that implements OpenAI's chat completions API. */
export interface ModelEndpoint {
  /** Base address, such as `https://models.example/v1`. */
  url: string;
  name: string;
  /** Sent as a bearer token; absent for endpoints that need none. */
  key: string | undefined;
}

/** An agent's options, from the channel's environment. */
export interface AgentOptions {
  /** The shop's address, for links and pictures, without a trailing slash. */
  shopOrigin: string;
  /** Milliseconds between two deltas. */
  agentPace: number;
  model: ModelEndpoint | undefined;
}

interface AgentModule {
  createAgent(options: AgentOptions): Promise<Agent>;
}

/** An agent for tests that script every reply. */
const noAgent: Agent = {
  reply() {
    throw new Error('The agent is "none": script this reply first (POST /lab/reply).');
  },
};

/** @throws Error when the module cannot be loaded, or exports no `createAgent` */
export async function loadAgent(named: string, options: AgentOptions): Promise<Agent> {
  if (named === "none") return noAgent;
  if (named === "sandbox") return createSandboxAgent({ pace: options.agentPace });
  const path = resolve(named);
  const { createAgent }: Partial<AgentModule> = await import(pathToFileURL(path).href);
  if (typeof createAgent !== "function")
    throw new StartError(`CHANNEL_AGENT: ${path} exports no function createAgent.`);
  return createAgent(options);
}
