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

function itemFault(operation: keyof Items, body: unknown): string | undefined {
  const item = isRecord(body) ? body["item"] : undefined;
  if (!isRecord(item)) return "/item (not an object)";
  return operation === "sendMessage" ? turnFault(item) : undefined;
}

function pageFault(body: unknown): string | undefined {
  if (!isRecord(body) || !Array.isArray(body["items"])) return "/items (not an array)";
  return isTextOrNull(body["nextCursor"]) ? undefined : "/nextCursor (neither text nor null)";
}

function turnFault(turn: Record<string, unknown>): string | undefined {
  if (!isRecord(turn["message"])) return "/item/message (not an object)";
  if (!isRecord(turn["chat"])) return "/item/chat (not an object)";
  if (turn["reply"] !== null && !isRecord(turn["reply"])) return "/item/reply (neither an object nor null)";
  return undefined;
}

function eventFault(type: StreamedEvent["type"], data: unknown): string | undefined {
  if (!isRecord(data)) return "/ (not an object)";
  if (type === "done") return itemFault("sendMessage", data);
  if (type === "delta") return typeof data["text"] === "string" ? undefined : "/text (not text)";
  for (const name of ["chatId", "requestId", "messageId"]) {
    if (typeof data[name] !== "string") return `/${name} (not text)`;
  }
  return isTextOrNull(data["replyId"]) ? undefined : "/replyId (neither text nor null)";
}

export const plainParser: ContractParser = {
  item<O extends keyof Items>(operation: O, body: unknown): Parsed<Items[O]> {
    const fault = itemFault(operation, body);
    return fault === undefined ? { value: (body as { item: Items[O] }).item } : { fault };
  },
  page(body) {
    const fault = pageFault(body);
    return fault === undefined ? { value: body as MessagePage } : { fault };
  },
  event(type, data) {
    const fault = eventFault(type, data);
    return fault === undefined ? { value: { type, ...(data as object) } as StreamedEvent } : { fault };
  },
};
