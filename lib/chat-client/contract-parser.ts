/** Parses responses with the contract's schemas. Servers only: imports zod. */
import type { z } from "zod";
import { operationContracts } from "../chat-api/operation-contracts.ts";
import { jsonPointer } from "../chat-api/parse-request.ts";
import { turnEventSchemas } from "../chat-api/turn-event-schemas.ts";
import type { ContractParser, Items, Parsed, StreamedEvent } from "./parser.ts";

/** The path and zod's code of the deviation, without its message, which may quote the value. */
function describeDeviation(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? "unknown deviation" : `${jsonPointer(issue.path) || "/"} (${issue.code})`;
}

function read<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  const result = schema.safeParse(value);
  return result.success ? { value: result.data } : { deviation: describeDeviation(result.error) };
}

/**
 * Checks every field and drops unknown ones. For a server that talks to the Chat API. A browser whose server
 * has done this needs no parser.
 */
export const contractParser: ContractParser = {
  item<O extends keyof Items>(operation: O, body: unknown): Parsed<Items[O]> {
    // The table's row is the operation's own schema; the compiler sees the union of all rows.
    const schema = operationContracts[operation].response as unknown as z.ZodType<{ item: Items[O] }>;
    const reading = read(schema, body);
    return "deviation" in reading ? reading : { value: reading.value.item };
  },
  page: (body) => read(operationContracts.listMessages.response, body),
  event(type, data) {
    const reading = read<object>(turnEventSchemas[type], data);
    return "deviation" in reading ? reading : { value: { type, ...reading.value } as StreamedEvent };
  },
};
