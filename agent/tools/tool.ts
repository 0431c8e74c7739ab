import type { z } from "zod";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import type { Answer } from "../answer.ts";
import type { Shop } from "../knowledge/shop.ts";
import type { Language } from "../language/languages.ts";

/** What a tool knows besides its input. */
export interface ToolContext {
  shop: Shop;
  turn: AgentTurn;
  language: Language;
}

/** The customer's accepted answers to forms, by field ID. */
export function answersOf({ collection }: AgentTurn): ReadonlyMap<string, string> {
  const accepted = collection.values.filter(({ status }) => status === "accepted");
  return new Map(accepted.map(({ fieldId, value }) => [fieldId, value ?? ""]));
}

/**
 * An ability of the agent. The planner calls `run` with values, a model calls it by `name` with JSON that
 * `input` checks. The customer's cards come from `shows`, never from an agent's words.
 */
interface Tool<Input, Output> {
  name: string;
  /** For a model: what it does and when to use it. */
  description: string;
  input: z.ZodType<Input>;
  run(input: Input, context: ToolContext): Output;
  /** The result for the model. */
  report(output: Output): unknown;
  /** What the customer sees beside the text. */
  shows(output: Output): Partial<Answer>;
}

/** Adds `use`, by which a model runs the tool: with JSON. */
export function defineTool<Input, Output>(tool: Tool<Input, Output>) {
  return {
    ...tool,
    use(input: unknown, context: ToolContext) {
      const output = tool.run(tool.input.parse(input), context);
      return { report: tool.report(output), shows: tool.shows(output) };
    },
  };
}
