import type { z } from "zod";
import type { AgentEvent, AgentTurn } from "../agent.ts";
import type { Shop } from "../knowledge/shop.ts";
import type { Language } from "../language/languages.ts";

/** What a tool works with beside its input. */
export interface ToolContext {
  shop: Shop;
  turn: AgentTurn;
  language: Language;
}

/**
 * Something that an agent can do. Defined once: the planner calls `run` with values, a model calls it by `name` with
 * JSON that `input` checks. What the customer sees on cards comes from `events`, never from an agent's words.
 */
export interface Tool<Input, Output> {
  name: string;
  /** For a model: what it does and when to use it. */
  description: string;
  input: z.ZodType<Input>;
  run(input: Input, context: ToolContext): Output;
  /** What a model is told of the outcome. */
  report(output: Output): unknown;
  /** What the customer is shown of it. */
  events(output: Output): AgentEvent[];
}
