/** Reads answers with the contract's schemas. Servers only: imports zod. */
import type { z } from "zod";
import { operationSchemas } from "#lib/chat-api/operation-schemas.ts";
import { jsonPointer } from "#lib/chat-api/parse-request.ts";
import { turnEventSchemas } from "#lib/chat-api/turn-event-schemas.ts";
import type { ContractParser, Items, Reading, StreamedEvent } from "./parser.ts";

/** The place and zod's word for the fault. Its sentences are left out: some quote the value. */
function describeFault(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? "unknown fault" : `${jsonPointer(issue.path) || "/"} (${issue.code})`;
}

function read<T>(schema: z.ZodType<T>, value: unknown): Reading<T> {
  const result = schema.safeParse(value);
  return result.success ? { value: result.data } : { fault: describeFault(result.error) };
}

/**
 * Every field checked, unknown ones dropped. For a server that speaks to the Chat API; a browser that speaks to a
 * server which did this needs no parser.
 */
export const contractParser: ContractParser = {
  item<O extends keyof Items>(operation: O, body: unknown): Reading<Items[O]> {
    // The row of the table is the operation's own schema; the compiler sees the union of all rows.
    const schema = operationSchemas[operation].response as unknown as z.ZodType<{ item: Items[O] }>;
    const reading = read(schema, body);
    return "fault" in reading ? reading : { value: reading.value.item };
  },
  page: (body) => read(operationSchemas.listMessages.response, body),
  event(type, data): Reading<StreamedEvent> {
    switch (type) {
      case "start":
        return withType(type, read(turnEventSchemas.start, data));
      case "delta":
        return withType(type, read(turnEventSchemas.delta, data));
      case "done":
        return withType(type, read(turnEventSchemas.done, data));
    }
  },
};

function withType<N extends string, T extends object>(
  type: N,
  reading: Reading<T>,
): Reading<{ type: N } & T> {
  return "fault" in reading ? reading : { value: { type, ...reading.value } };
}
