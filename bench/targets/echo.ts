/** The channel's smallest agent, loaded by `CHANNEL_AGENT`: a turn then costs only the channel's own work. */
import type { Agent } from "../../channel/agents/agent.ts";

const echoAgent: Agent = {
  async *reply({ trigger }) {
    yield { type: "text", text: "Echo" };
    yield { type: "text", text: ": " };
    yield { type: "text", text: trigger.type === "message" ? trigger.message.text : trigger.action };
  },
};

export const createAgent = async () => echoAgent;
