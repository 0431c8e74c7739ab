/** The smallest agent: repeats the customer's message in three parts. Used if no other agent is installed. */
import type { Agent, AgentEvent, AgentTurn } from "./agent.ts";

export const echoAgent: Agent = {
  async *reply(turn) {
    yield* echo(turn);
  },
};

export function* echo({ trigger }: AgentTurn): Iterable<AgentEvent> {
  yield { type: "text", text: "Echo" };
  yield { type: "text", text: ": " };
  yield { type: "text", text: trigger.type === "message" ? trigger.message.text : trigger.action };
}
