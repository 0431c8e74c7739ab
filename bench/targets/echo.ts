/** The channel's smallest agent, as `CHANNEL_AGENT` loads it: a turn that costs what the channel costs. */
import { echoAgent } from "../../channel/agents/echo-agent.ts";

export const createAgent = async () => echoAgent;
