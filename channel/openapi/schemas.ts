/** The contract's schemas as JSON Schema (draft 2020-12, which is OpenAPI 3.1's). */
import { z } from "zod";
import { limits } from "#lib/chat-api/limits.ts";
import { MessagePage, resources } from "#lib/chat-api/message.ts";
import { operationContracts } from "#lib/chat-api/operation-contracts.ts";
import type { OperationContract } from "#lib/chat-api/operations/operation-contract.ts";
import { SubmitCollectionBody } from "#lib/chat-api/operations/submit-collection.ts";
import { fieldIdPattern } from "#lib/chat-api/patterns.ts";
import { turnEventSchemas } from "#lib/chat-api/turn-event-schemas.ts";

export type JsonSchema = Record<string, unknown>;

/** `CreateChatBody` is the body of `createChat`. */
const requestBodies = Object.fromEntries(
  Object.entries<OperationContract>(operationContracts).flatMap(([name, { body }]) =>
    body === undefined || body === "file"
      ? []
      : [[`${name.charAt(0).toUpperCase()}${name.slice(1)}Body`, body]],
  ),
);

const { start: TurnStart, delta: TurnDelta, error } = turnEventSchemas;
const responseBodies = { ...resources, MessagePage, TurnStart, TurnDelta, Error: error.shape.error };
const names = new Map<unknown, string>(
  Object.entries({ ...requestBodies, ...responseBodies }).map(([name, schema]) => [schema, name]),
);

export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A reference to a named schema, or an object whose fields are references. */
export function refTo(schema: z.ZodType): JsonSchema {
  const name = names.get(schema);
  if (name !== undefined) return schemaRef(name);
  if (!(schema instanceof z.ZodObject)) throw new TypeError("an operation's schema has no name");
  const properties = Object.entries(schema.shape).map(([key, value]) => [key, refTo(value)]);
  return { type: "object", required: Object.keys(schema.shape), properties: Object.fromEntries(properties) };
}

function describe(schemas: Record<string, z.ZodType>, io: "input" | "output"): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const described = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      // Responses contain every field, so a schema's defaults matter only to code that parses them.
      if (io === "output") delete jsonSchema.default;
      if (zodSchema === SubmitCollectionBody.shape.values.unwrap()) Object.assign(jsonSchema, answersSchema);
    },
  });
  return Object.fromEntries(
    Object.entries(described.schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}

const answersSchema = {
  type: "object",
  maxProperties: limits.answersPerSubmission,
  propertyNames: { pattern: fieldIdPattern.source },
  additionalProperties: { type: "string", maxLength: limits.answerLength },
};

/** Every resource and every request body by its name. */
export const componentSchemas: Record<string, JsonSchema> = {
  ...describe(responseBodies, "output"),
  ...describe(requestBodies, "input"),
  TurnEvent: {
    description: "An event of the stream; `event` and `data` are the lines of these names.",
    oneOf: Object.entries(turnEventSchemas).map(([event, schema]) => ({
      type: "object",
      required: ["event", "data"],
      properties: { event: { const: event }, data: refTo(schema) },
    })),
  },
};
