/** The interface of a parser of response bodies. */
import type { z } from "zod";
import type { MessagePage } from "../chat-api/message.ts";
import type { operationContracts } from "../chat-api/operation-contracts.ts";
import type { TurnEvent } from "../chat-api/turn-events.ts";

/** The `item` of successful responses (docs/chat-api.md, "Operations"). */
export type Items = {
  [Name in keyof Contracts as Contracts[Name] extends ItemResponse ? Name : never]: z.output<
    (Contracts[Name] & ItemResponse)["response"]
  >["item"];
};
type Contracts = typeof operationContracts;
interface ItemResponse {
  response: z.ZodObject<{ item: z.ZodType }>;
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
