import type { Citation, Order, Product } from "#lib/chat-api/message.ts";
import type { AgentEvent, FormRequest } from "../channel/agents/agent.ts";

/** The agent's answer to one request, before it is streamed. */
export interface Answer {
  text: string;
  /** A question that ends the reply: it replaces the streamed text (docs/chat-api.md, "The turn stream"). */
  ask?: string | undefined;
  citations?: readonly Citation[] | undefined;
  products?: readonly Product[] | undefined;
  orders?: readonly Order[] | undefined;
  choices?: readonly string[] | undefined;
  form?: FormRequest | undefined;
  offer?: { details?: FormRequest } | undefined;
}

/** The parts after an answer's text. */
export function* eventsAfterText(answer: Partial<Answer>): Iterable<AgentEvent> {
  const { citations, products, orders, choices, form, offer, ask } = answer;
  if (citations) yield { type: "citations", citations };
  if (products) yield { type: "products", products };
  if (orders) yield { type: "orders", orders };
  if (choices) yield { type: "choices", choices };
  if (form) yield { type: "request_form", form };
  if (offer) yield { type: "offer_handoff", ...offer };
  if (ask) yield { type: "ask", text: ask };
}
