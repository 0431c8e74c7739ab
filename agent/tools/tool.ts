import type { z } from "zod";
import type { Message } from "#lib/chat-api/message.ts";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import type { Answer } from "../answer.ts";
import type { Shop } from "../knowledge/shop.ts";
import type { Language } from "../language/languages.ts";

/** The context of a tool besides its input. */
export interface ToolContext {
  shop: Shop;
  turn: AgentTurn;
  language: Language;
}

export function lastOf(role: Message["role"], { turn }: ToolContext): Message | undefined {
  return turn.history.findLast((message) => message.role === role);
}

/** The customer's accepted answers to forms, by field ID. */
export function answersOf({ collection }: AgentTurn): ReadonlyMap<string, string> {
  const accepted = collection.values.filter(({ status }) => status === "accepted");
  return new Map(accepted.map(({ fieldId, value }) => [fieldId, value ?? ""]));
}

/** An ability of a model, which calls it by a name with JSON (`prompts.json`). */
interface Tool<Input> {
  input: z.ZodType<Input>;
  /** `report`: the result for the model. `shows`: what the customer sees beside the model's words. */
  use(input: Input, context: ToolContext): { report: unknown; shows?: Partial<Answer> };
}

/** A tool that checks its input. */
export function defineTool<Input>({ input, use }: Tool<Input>) {
  return { input, use: (json: unknown, context: ToolContext) => use(input.parse(json), context) };
}
