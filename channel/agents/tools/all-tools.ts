import type { z } from "zod";
import type { AgentEvent } from "../agent.ts";
import { askForDetailsTool } from "./ask-for-details.ts";
import { findProductsTool } from "./find-products.ts";
import { lookUpOrdersTool } from "./look-up-orders.ts";
import { offerTeamTool } from "./offer-team.ts";
import { searchHelpTool } from "./search-help.ts";
import { suggestRepliesTool } from "./suggest-replies.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** A tool for somebody who does not know its types: a model gives JSON and is told JSON. */
export interface NamedTool {
  name: string;
  description: string;
  input: z.ZodType;
  /** Runs with input that `input` has accepted: what a model is told, and what the customer is shown. */
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

/** What an agent of this shop can do. */
export const allTools: readonly NamedTool[] = [
  named(searchHelpTool),
  named(findProductsTool),
  named(lookUpOrdersTool),
  named(askForDetailsTool),
  named(offerTeamTool),
  named(suggestRepliesTool),
];
