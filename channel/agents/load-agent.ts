/**
 * Loads the agent by the path of its module. The channel never imports the demo's agent: remove the folder
 * `agent/`, or name another module in `CHANNEL_AGENT`, and nothing in the channel changes.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Agent } from "./agent.ts";
import { echoAgent } from "./echo-agent.ts";

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
  /** Milliseconds between two deltas; undefined for the agent's own pace. */
  agentPace: number | undefined;
  model: ModelEndpoint | undefined;
}

interface AgentModule {
  createAgent(options: AgentOptions): Promise<Agent>;
}

const demoAgent = fileURLToPath(new URL("../../agent/create-agent.ts", import.meta.url));

/** @throws Error when the module cannot be loaded, or exports no `createAgent` */
export async function loadAgent(modulePath: string | undefined, options: AgentOptions): Promise<Agent> {
  if (modulePath === undefined && !existsSync(demoAgent)) return echoAgent;
  const path = resolve(modulePath ?? demoAgent);
  const loaded: unknown = await import(pathToFileURL(path).href);
  if (!isAgentModule(loaded)) throw new Error(`CHANNEL_AGENT: ${path} exports no function createAgent.`);
  return loaded.createAgent(options);
}

function isAgentModule(loaded: unknown): loaded is AgentModule {
  return (
    typeof loaded === "object" &&
    loaded !== null &&
    "createAgent" in loaded &&
    typeof loaded.createAgent === "function"
  );
}
