/** The channel's smallest agent, loaded by `CHANNEL_AGENT`: a turn then costs only the channel's own work. */
import { echoAgent } from "../../channel/agents/echo-agent.ts";

export const createAgent = async () => echoAgent;
