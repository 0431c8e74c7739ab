/** Test support: turns as the engine creates them, and replies as the channel stores them. */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { Citation, Message, Order, Product } from "#lib/chat-api/message.ts";
import * as contract from "#lib/chat-api/testing/builders.ts";
import type { Agent, AgentTurn, FormRequest } from "../../channel/agents/agent.ts";
import type { Shop } from "../knowledge/shop.ts";
import { planTurn } from "../planner/plan.ts";
import { createPlannedAgent, type PlannedAgentOptions } from "../shop-agent.ts";

const chatId = "chat-00000001";
const createdAt = "2026-06-09T10:15:00.000Z";

/** The shop's agent, planning in the calling thread. */
export function createShopAgent({
  shop,
  ...pacing
}: Omit<PlannedAgentOptions, "plan"> & { shop: Shop }): Agent {
  return createPlannedAgent({ ...pacing, plan: (turn) => planTurn(turn, shop) });
}

/** A collection of these accepted answers by field ID. */
export function aCollection(answers: Readonly<Record<string, string>> = {}): Collection {
  return contract.aCollection({
    values: Object.entries(answers).map(([fieldId, value]) => ({
      fieldId,
      value,
      status: "accepted",
      actor: "visitor",
      updatedAt: createdAt,
    })),
  });
}

export function aMessage(overrides: Partial<Message> = {}): Message {
  return contract.aMessage({ id: "message-1", chatId, text: "", createdAt, ...overrides });
}

/** A customer's message as what triggers a turn; `file`: the name of a picture sent with it. */
export function saying(text: string, file?: string): Pick<AgentTurn, "trigger"> {
  const pictures = file === undefined ? [] : [file];
  const files = pictures.map((filename) =>
    contract.aFile({ chatId, filename, mediaType: "image/jpeg", createdAt }),
  );
  return { trigger: { type: "message", message: aMessage({ text, files }) } };
}

export function aTurn(text: string, overrides: Partial<AgentTurn> = {}): AgentTurn {
  return {
    chatId,
    userId: "guest-0001",
    locale: "en",
    operationId: "operation-1",
    ...saying(text),
    history: [],
    collection: aCollection(),
    isStreamed: true,
    now: new Date(createdAt),
    ...overrides,
  };
}

/** A complete reply as the customer sees it. */
export interface CollectedReply {
  /** The streamed text. */
  streamed: string;
  /** The stored text: the closing question if there is one, otherwise the streamed text. */
  text: string;
  asked: boolean;
  citations: readonly Citation[];
  products: readonly Product[];
  orders: readonly Order[];
  choices: readonly string[];
  form: FormRequest | null;
  offer: { details?: FormRequest } | null;
}

export async function collectReply(agent: Agent, turn: AgentTurn): Promise<CollectedReply> {
  const reply: CollectedReply = {
    streamed: "",
    text: "",
    asked: false,
    citations: [],
    products: [],
    orders: [],
    choices: [],
    form: null,
    offer: null,
  };
  let question: string | undefined;
  for await (const event of agent.reply(turn, new AbortController().signal)) {
    switch (event.type) {
      case "text":
        reply.streamed += event.text;
        break;
      case "ask":
        question = event.text;
        break;
      case "citations":
        reply.citations = event.citations;
        break;
      case "products":
        reply.products = event.products;
        break;
      case "orders":
        reply.orders = event.orders;
        break;
      case "choices":
        reply.choices = event.choices;
        break;
      case "request_form":
        reply.form = event.form;
        break;
      case "offer_handoff":
        reply.offer = event.details ? { details: event.details } : {};
        break;
    }
  }
  reply.asked = question !== undefined;
  reply.text = question ?? reply.streamed;
  return reply;
}

/** Plays a dialogue as the channel would: each message and reply joins the next turn's history. */
export async function lastReply(agent: Agent, turns: readonly Partial<AgentTurn>[]): Promise<CollectedReply> {
  const history: Message[] = [];
  let reply: CollectedReply | undefined;
  for (const [index, overrides] of turns.entries()) {
    const turn = aTurn("", { history: [...history], operationId: `operation-${index}`, ...overrides });
    reply = await collectReply(agent, turn);
    const { text, citations, products, orders, choices, offer } = reply;
    if (turn.trigger.type === "message") history.push(turn.trigger.message);
    history.push(
      aMessage({
        ...{ id: `reply-${index}`, role: "agent", text, handoffOffer: offer ? contract.anOffer() : null },
        ...{ citations: [...citations], products: [...products] },
        ...{ orders: [...orders], choices: [...choices] },
      }),
    );
  }
  if (!reply) throw new Error("a dialogue has a turn");
  return reply;
}
