import type { Citation } from "#lib/chat-api/message.ts";
import type { Order } from "#lib/chat-api/order.ts";
import type { Product } from "#lib/chat-api/product.ts";
import type { FormRequest } from "../agent.ts";

/** What the agent says to one request, before it is streamed. */
export interface Answer {
  text: string;
  /** A question that ends the reply and replaces the text (specification, "Events", rule 1). */
  ask?: string;
  citations?: readonly Citation[];
  products?: readonly Product[];
  orders?: readonly Order[];
  choices?: readonly string[];
  form?: FormRequest;
  offer?: { details?: FormRequest };
}
