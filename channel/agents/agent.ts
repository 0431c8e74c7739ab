/**
 * The interface of an agent. The turn engine calls it between transactions and stores what it yields; another
 * agent (a model, a remote service) replaces the shop's by implementing `Agent`.
 */
import type { Collection, Field } from "#lib/chat-api/collection.ts";
import type { Message, ReplyPart } from "#lib/chat-api/message.ts";

/** A customer's message to answer, or a form that the customer has just closed. */
export interface AgentTurn {
  chatId: string;
  userId: string;
  /** BCP 47, as given when the chat was created. */
  locale: string;
  /**
   * Identifies the turn through all its attempts. Calls to outside services carry `<operationId>:<step>` as
   * their own idempotency key, so that a second attempt after a crash does not repeat them.
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
  /**
   * Whether a reader may see the text as it arrives. If not, a pause between two parts only delays the reply.
   */
  isStreamed: boolean;
  /** When the turn began, on the channel's clock, which the lab can move. The same in every attempt. */
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

/** A list that accompanies the text, such as `{ type: "citations", citations }`. */
export type ReplyPartEvent = {
  [Part in ReplyPart]: { type: Part } & { readonly [List in Part]: readonly Message[Part][number][] };
}[ReplyPart];

/**
 * The output of an agent, as values of a stream. Attachments (citations, products, orders, choices, a form,
 * an offer) may come at any point of the stream; the last of each kind counts.
 */
export type AgentEvent =
  /** The next part of the reply's text, streamed as soon as it arrives. */
  | { type: "text"; text: string }
  /** A closing question. In `done` it replaces the streamed text (docs/chat-api.md, "The turn stream"). */
  | { type: "ask"; text: string }
  | ReplyPartEvent
  | { type: "request_form"; form: FormRequest }
  /**
   * The channel adds when the team is next available. `details` is the form to be completed first, if any.
   * An e-mail address is needed while the team is away, and always with `requiresEmail`.
   */
  | { type: "offer_handoff"; details?: FormRequest; requiresEmail?: true }
  /** Closes the chat with this reply. */
  | { type: "close_chat" };

export interface Agent {
  /**
   * Answers one turn. May be called again for the same turn, from the beginning, after a crash or a failed
   * attempt. Stops soon after `signal` aborts; throwing lets the turn be tried again. Runs in the channel's
   * event loop: long computations belong in a thread, so that the deadline of an attempt can end them.
   */
  reply(turn: AgentTurn, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
