/** Test support: turns as the engine creates them, and replies as the channel stores them. */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { File } from "#lib/chat-api/file.ts";
import type { Citation, Message } from "#lib/chat-api/message.ts";
import type { Order } from "#lib/chat-api/order.ts";
import type { Product } from "#lib/chat-api/product.ts";
import * as contract from "#lib/chat-api/testing/builders.ts";
import type { Agent, AgentTurn, FormRequest } from "../../channel/agents/agent.ts";

const chatId = "chat-00000001";
const createdAt = "2026-06-09T10:15:00.000Z";

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

export function aPicture(filename: string): File {
  return contract.aFile({ chatId, filename, mediaType: "image/jpeg", createdAt });
}

export function aTurn(text: string, overrides: Partial<AgentTurn> = {}): AgentTurn {
  return {
    chatId,
    userId: "guest-0001",
    locale: "en",
    operationId: "operation-1",
    trigger: { type: "message", message: aMessage({ text }) },
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
