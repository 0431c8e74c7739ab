/**
 * What answers in a chat. The turn engine calls it between transactions and stores what it yields; another agent
 * (a model, a remote service) takes the place of the shop's by implementing `Agent`.
 */
import type { Collection, Field } from "#lib/chat-api/collection.ts";
import type { Citation, Message } from "#lib/chat-api/message.ts";
import type { Order } from "#lib/chat-api/order.ts";
import type { Product } from "#lib/chat-api/product.ts";

/** One message of the customer's to be answered, or a form that the customer has just completed. */
export interface AgentTurn {
  chatId: string;
  userId: string;
  /** BCP 47, as given when the chat was created. */
  locale: string;
  /**
   * Identifies the turn through all its attempts. Calls to outside services carry `<operationId>:<step>` as their own
   * idempotency key, so that a second attempt after a crash does not repeat them.
   */
  operationId: string;
  trigger:
    | { type: "message"; message: Message }
    /** The customer saved, skipped or cancelled the form `collectionId`. */
    | { type: "form"; collectionId: string; action: "save" | "skip" | "cancel" };
  /** The chat's latest earlier messages, oldest first, without the one to be answered. */
  history: readonly Message[];
  /** The details collected so far. */
  collection: Collection;
  /** The channel's time (it may be the lab's). */
  now: Date;
}

/** A form that the agent wants the customer to fill in. */
export interface FormRequest {
  /** 1-128 letters, digits, underscores or hyphens; the same form has the same ID in every chat. */
  collectionId: string;
  purpose: string;
  fields: readonly { field: Field; required: boolean }[];
  canSkip: boolean;
  canCancel: boolean;
}

/**
 * What an agent can do, as values of a stream. Attachments (citations, products, orders, choices, a form, an offer)
 * may come at any point of it; the last of a kind counts.
 */
export type AgentEvent =
  /** The next part of the reply, as it shall be streamed. */
  | { type: "text"; text: string }
  /** Specification, "Events", rule 1: the question replaces, in `done`, what was streamed. */
  | { type: "ask"; text: string }
  | { type: "citations"; citations: readonly Citation[] }
  | { type: "products"; products: readonly Product[] }
  | { type: "orders"; orders: readonly Order[] }
  | { type: "choices"; choices: readonly string[] }
  | { type: "request_form"; form: FormRequest }
  /** The channel adds what the offer says of the team's hours. `details` is the form that must be complete first, if any. */
  | { type: "offer_handoff"; details?: FormRequest };

export interface Agent {
  /**
   * Answers one turn. May be called again for the same turn after a crash, from the beginning. Stops soon after
   * `signal` aborts; throwing lets the turn be tried again.
   */
  reply(turn: AgentTurn, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
