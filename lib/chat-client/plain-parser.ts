/**
 * Checks the outline of a response, as far as the client relies on it. Free of zod, for browsers, whose
 * server has checked every field (`contract-parser.ts`).
 */
import type { MessagePage } from "../chat-api/message.ts";
import type { ContractParser, Items, Parsed, StreamedEvent } from "./parser.ts";

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextOrNull(value: unknown): boolean {
  return typeof value === "string" || value === null;
}

function itemDeviation(operation: keyof Items, body: unknown): string | undefined {
  const item = isRecord(body) ? body["item"] : undefined;
  if (!isRecord(item)) return "/item (not an object)";
  if (operation === "sendMessage") return turnDeviation(item);
  if (typeof item["id"] === "string") return undefined;
  // Only a collection has no ID.
  const isCollection = Array.isArray(item["fields"]) && Array.isArray(item["values"]);
  return isCollection ? undefined : "/item (another shape)";
}

function pageDeviation(body: unknown): string | undefined {
  if (!isRecord(body) || !Array.isArray(body["items"])) return "/items (not an array)";
  return isTextOrNull(body["nextCursor"]) ? undefined : "/nextCursor (neither text nor null)";
}

function turnDeviation(turn: Record<string, unknown>): string | undefined {
  if (!isRecord(turn["message"])) return "/item/message (not an object)";
  if (!isRecord(turn["chat"])) return "/item/chat (not an object)";
  if (turn["reply"] !== null && !isRecord(turn["reply"])) return "/item/reply (neither an object nor null)";
  return undefined;
}

function eventDeviation(type: StreamedEvent["type"], data: unknown): string | undefined {
  if (!isRecord(data)) return "/ (not an object)";
  if (type === "done") return itemDeviation("sendMessage", data);
  if (type === "delta") return typeof data["text"] === "string" ? undefined : "/text (not text)";
  for (const name of ["chatId", "requestId", "messageId"]) {
    if (typeof data[name] !== "string") return `/${name} (not text)`;
  }
  return isTextOrNull(data["replyId"]) ? undefined : "/replyId (neither text nor null)";
}

export const plainParser: ContractParser = {
  item<O extends keyof Items>(operation: O, body: unknown): Parsed<Items[O]> {
    const deviation = itemDeviation(operation, body);
    return deviation === undefined ? { value: (body as { item: Items[O] }).item } : { deviation };
  },
  page(body) {
    const deviation = pageDeviation(body);
    return deviation === undefined ? { value: body as MessagePage } : { deviation };
  },
  event(type, data) {
    const deviation = eventDeviation(type, data);
    return deviation === undefined
      ? { value: { type, ...(data as object) } as StreamedEvent }
      : { deviation };
  },
};
