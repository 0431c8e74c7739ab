/**
 * An agent in which a language model writes the replies, with the same tools as the shop's agent. Cards,
 * forms and sources always come from the tools, never from the model's text.
 */
import { hash } from "node:crypto";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  tool,
} from "ai";
import type { Message } from "#lib/chat-api/message.ts";
import type { Agent, AgentEvent, AgentTurn } from "../channel/agents/agent.ts";
import type { ModelEndpoint } from "../channel/agents/load-agent.ts";
import { type Answer, eventsAfterText } from "./answer.ts";
import { amountsIn, groundedSentences } from "./grounded-sentences.ts";
import type { Shop } from "./knowledge/shop.ts";
import { parseAmount } from "./language/figures.ts";
import { type Language, languageOfLocale } from "./language/languages.ts";
import { filled } from "./language/replies.ts";
import prompts from "./prompts.json" with { type: "json" };
import { askForDetailsTool, offerTeamTool } from "./tools/forms.ts";
import { lookUpOrdersTool } from "./tools/look-up-orders.ts";
import { findProductsTool, searchHelpTool, suggestRepliesTool } from "./tools/model-tools.ts";
import { answersOf, type ToolContext } from "./tools/tool.ts";

/** Durations are milliseconds. */
export const modelLimits = {
  /** Requests to the model in one turn, not counting a repetition after an error. */
  steps: 6,
  toolCalls: 10,
  outputTokens: 1_200,
  wholeTurn: 60_000,
  oneStep: 30_000,
  /** The longest pause between two outputs of the model. */
  silence: 15_000,
};
export type ModelLimits = typeof modelLimits;

export interface ModelAgentOptions {
  shop: Shop;
  endpoint: ModelEndpoint;
  /** Answers if the model is unavailable, refuses, or is too slow to start. */
  fallback: Agent;
  limits?: ModelLimits;
}

/** The tools by the names that a model calls them by; `prompts.json` says when. */
const tools = {
  search_help: searchHelpTool,
  find_products: findProductsTool,
  look_up_orders: lookUpOrdersTool,
  ask_for_details: askForDetailsTool,
  offer_team: offerTeamTool,
  suggest_replies: suggestRepliesTool,
};

/** Creates the agent without calling the endpoint: the first turn does so. */
export function createModelAgent(options: ModelAgentOptions): Agent {
  return {
    async *reply(turn, signal) {
      let spoke = false;
      try {
        for await (const event of converse(turn, signal, options)) {
          spoke ||= event.type === "text";
          yield event;
        }
      } catch (error) {
        // After streamed text, which cannot be taken back, the engine retries the whole turn. Before any
        // text, the shop's agent answers and the customer notices nothing.
        if (spoke || signal.aborted) throw error;
        yield* options.fallback.reply(turn, signal);
      }
    },
  };
}

/**
 * The model for one turn. The idempotency key of each request is the turn's operation ID and the hash of the
 * body: a request has the same key in every attempt, and no other request has it.
 */
function modelFor(turn: AgentTurn, endpoint: ModelEndpoint): LanguageModel {
  const provider = createOpenAICompatible({
    name: "shop-model",
    baseURL: endpoint.url,
    ...(endpoint.key === undefined ? {} : { apiKey: endpoint.key }),
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      const body = hash("sha256", String(init?.body), "base64url");
      headers.set("Idempotency-Key", `${turn.operationId}:${body}`);
      return fetch(input, { ...init, headers });
    },
  });
  return provider.chatModel(endpoint.name);
}

async function* converse(
  turn: AgentTurn,
  signal: AbortSignal,
  { shop, endpoint, limits = modelLimits }: ModelAgentOptions,
): AsyncGenerator<AgentEvent> {
  const language = languageOf(turn, shop);
  const shown: Partial<Answer> = {};
  const told = new Set<number>(turn.history.flatMap((message) => amountsIn(message.text)));
  const result = streamText({
    model: modelFor(turn, endpoint),
    instructions: instructions(shop, turn, language),
    messages: messagesOf(turn),
    tools: toolsFor({ turn, shop, language }, limits.toolCalls, shown, told),
    stopWhen: isStepCount(limits.steps),
    maxOutputTokens: limits.outputTokens,
    maxRetries: 1,
    abortSignal: signal,
    timeout: { totalMs: limits.wholeTurn, stepMs: limits.oneStep, chunkMs: limits.silence },
    // The loop below throws errors, which are parts of the stream. The default handler would also print them.
    onError: () => undefined,
  });
  let said = false;
  for await (const text of groundedSentences(spokenBy(result.stream), told)) {
    said = true;
    yield { type: "text", text };
  }
  const attached = [...eventsAfterText(shown)];
  if (!said && attached.length === 0) throw new Error("the model said nothing");
  yield* attached;
}

async function* spokenBy(stream: AsyncIterable<TextStreamPart<ToolSet>>): AsyncIterable<string> {
  for await (const part of stream) {
    if (part.type === "error") throw part.error instanceof Error ? part.error : new Error(String(part.error));
    if (part.type === "abort") throw new Error("the model was too slow, or the turn was stopped");
    if (part.type === "text-delta") yield part.text;
  }
}

/**
 * `shown`: what the customer sees beside the text, the latest of each kind. `told`: numbers of tool results
 * and amounts of money in earlier messages, which the model may name as prices.
 */
function toolsFor(context: ToolContext, most: number, shown: Partial<Answer>, told: Set<number>): ToolSet {
  let calls = 0;
  const descriptions = new Map(Object.entries(prompts.tools));
  return Object.fromEntries(
    Object.entries(tools).map(([name, each]) => [
      name,
      tool({
        description: descriptions.get(name) ?? "",
        inputSchema: each.input,
        execute: (input: unknown) => {
          calls += 1;
          if (calls > most) return { error: "No more tool calls in this turn: answer with what you know." };
          const { report, shows } = each.use(input, context);
          Object.assign(shown, shows);
          const written = JSON.stringify(report);
          for (const [number] of written.matchAll(/\d[\d.,]*/g)) told.add(parseAmount(number));
          return report;
        },
      }),
    ]),
  );
}

function instructions(shop: Shop, turn: AgentTurn, language: Language): string {
  const isSignedIn = shop.customers.some(({ id }) => turn.userId === `cust.${id}`);
  const customer = isSignedIn ? prompts.signedIn : prompts.notSignedIn;
  const values = { agentName: shop.agentName, language, customer, now: turn.now.toISOString() };
  return filled(prompts.instructions.join("\n"), values);
}

function messagesOf(turn: AgentTurn): ModelMessage[] {
  const history = turn.history.flatMap((message): ModelMessage[] => {
    if (message.role === "system" || message.text.trim() === "") return [];
    return [{ role: message.role === "visitor" ? "user" : "assistant", content: message.text }];
  });
  return [...history, { role: "user", content: triggerText(turn) }];
}

function triggerText(turn: AgentTurn): string {
  const { trigger } = turn;
  if (trigger.type === "message") return textOf(trigger.message);
  const answers = Array.from(answersOf(turn), ([field, value]) => `${field}: ${value}`);
  return `(The customer chose "${trigger.action}" in the form ${trigger.collectionId}. Details: ${answers.join("; ") || "none"}.)`;
}

function textOf({ text, files }: Message): string {
  const names = files.map(({ filename }) => filename).join(", ");
  return [text, names && `(Files sent: ${names})`].filter(Boolean).join("\n");
}

function languageOf({ trigger, history, locale }: AgentTurn, shop: Shop): Language {
  const expected = languageOfLocale(locale);
  const last = history.findLast(({ role }) => role === "visitor");
  const spoken = trigger.type === "message" ? trigger.message : last;
  const tongue = shop.languageOf(spoken?.text ?? "", expected);
  return tongue === "other" ? expected : tongue;
}
