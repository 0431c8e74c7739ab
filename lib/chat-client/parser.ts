/** Parsers of response bodies, and the one for browsers. */
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

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Check = (value: unknown) => boolean;
type Outline = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === "string";
const isList: Check = (value) => Array.isArray(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const turn: Outline = { message: isRecord, chat: isRecord, reply: orNull(isRecord) };
const collection: Outline = { fields: isList, values: isList };
const resource: Outline = { id: isText };
const outlines: Readonly<Partial<Record<keyof Items, Outline>>> = {
  sendMessage: turn,
  getCollection: collection,
  submitCollection: collection,
};
const page: Outline = { items: isList, nextCursor: orNull(isText) };
const events: Readonly<Record<StreamedEvent["type"], Outline>> = {
  start: { chatId: isText, requestId: isText, messageId: isText, replyId: orNull(isText) },
  delta: { text: isText },
  done: { item: (item) => !("deviation" in read(item, turn)) },
};

/** A missing property is undefined, which fits no check. */
function read<T>(value: unknown, outline: Outline): Parsed<T> {
  if (!isRecord(value)) return { deviation: "/ (not an object)" };
  const wrong = Object.keys(outline).find((name) => outline[name]?.(value[name]) !== true);
  return wrong === undefined ? { value: value as T } : { deviation: `/${wrong} (another type)` };
}

/**
 * Checks the outline of a response, as far as the client relies on it. Free of zod, for browsers, whose
 * server has checked every field (`contract-parser.ts`).
 */
export const plainParser: ContractParser = {
  item: (operation, body) => read(isRecord(body) ? body["item"] : body, outlines[operation] ?? resource),
  page: (body) => read(body, page),
  event(type, data) {
    const reading = read<object>(data, events[type]);
    return "deviation" in reading ? reading : { value: { type, ...reading.value } as StreamedEvent };
  },
};
