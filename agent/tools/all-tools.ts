import type { z } from "zod";
import type { AgentEvent } from "../../channel/agents/agent.ts";
import { askForDetailsTool } from "./ask-for-details.ts";
import { findProductsTool } from "./find-products.ts";
import { lookUpOrdersTool } from "./look-up-orders.ts";
import { offerTeamTool } from "./offer-team.ts";
import { searchHelpTool } from "./search-help.ts";
import { suggestRepliesTool } from "./suggest-replies.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** A tool without its types, for a model, which passes and receives JSON. */
export interface NamedTool {
  name: string;
  description: string;
  input: z.ZodType;
  /** Runs with accepted input. Returns the result for the model and the events for the customer. */
  use(input: unknown, context: ToolContext): { report: unknown; events: AgentEvent[] };
}

function named<Input, Output>(tool: Tool<Input, Output>): NamedTool {
  return {
    name: tool.name,
    description: tool.description,
    input: tool.input,
    use(input, context) {
      const output = tool.run(tool.input.parse(input), context);
      return { report: tool.report(output), events: tool.events(output) };
    },
  };
}

export const allTools: readonly NamedTool[] = [
  named(searchHelpTool),
  named(findProductsTool),
  named(lookUpOrdersTool),
  named(askForDetailsTool),
  named(offerTeamTool),
  named(suggestRepliesTool),
];
