/** What the client expects of whoever reads its answers' JSON. */
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Collection } from "#lib/chat-api/collection.ts";
import type { File } from "#lib/chat-api/file.ts";
import type { MessagePage, MessageTurn } from "#lib/chat-api/message.ts";
import type { TurnEvent } from "#lib/chat-api/turn-events.ts";

/** The `item` of successful answers (specification, "Endpoints"). */
export interface Items {
  createChat: Chat;
  getChat: Chat;
  sendMessage: MessageTurn;
  uploadFile: File;
  getCollection: Collection;
  submitCollection: Collection;
  handoff: Chat;
}

/** The events that a reader of a turn stream sees: an `error` event is thrown instead, or the request repeated. */
export type StreamedEvent = Exclude<TurnEvent, { type: "error" }>;

/** The value as the contract reads it, or where it departs from the contract, in words that hold no part of the value. */
export type Reading<T> = { value: T } | { fault: string };

export interface ContractParser {
  /** The `item` of an answer's body. */
  item<O extends keyof Items>(operation: O, body: unknown): Reading<Items[O]>;
  /** The body of an answer of `listMessages`. */
  page(body: unknown): Reading<MessagePage>;
  event(type: StreamedEvent["type"], data: unknown): Reading<StreamedEvent>;
}
