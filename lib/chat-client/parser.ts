/** The interface of a parser of response bodies. */
import type { Chat } from "../chat-api/chat.ts";
import type { Collection } from "../chat-api/collection.ts";
import type { File } from "../chat-api/file.ts";
import type { MessagePage, MessageTurn } from "../chat-api/message.ts";
import type { TurnEvent } from "../chat-api/turn-events.ts";

/** The `item` of successful responses (docs/chat-api.md, "Operations"). */
export interface Items {
  createChat: Chat;
  getChat: Chat;
  sendMessage: MessageTurn;
  uploadFile: File;
  getCollection: Collection;
  submitCollection: Collection;
  handoff: Chat;
}

/** The events that the reader of a turn stream receives: an `error` event is thrown or leads to a retry. */
export type StreamedEvent = Exclude<TurnEvent, { type: "error" }>;

/** The parsed value, or the deviation from the contract in words that contain no part of the value. */
export type Parsed<T> = { value: T } | { deviation: string };

export interface ContractParser {
  /** The `item` of a response body. */
  item<O extends keyof Items>(operation: O, body: unknown): Parsed<Items[O]>;
  /** The response body of `listMessages`. */
  page(body: unknown): Parsed<MessagePage>;
  event(type: StreamedEvent["type"], data: unknown): Parsed<StreamedEvent>;
}
