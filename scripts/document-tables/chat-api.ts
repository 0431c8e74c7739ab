import { z } from "zod";
import {
  bffErrorCodes,
  chatApiErrorCodes,
  type ErrorCode,
  errorRules,
  globalErrorCodes,
  sentenceOf,
} from "../../lib/chat-api/errors.ts";
import { fileMediaTypes, limits } from "../../lib/chat-api/limits.ts";
import { operationErrors } from "../../lib/chat-api/operation-errors.ts";
import { type OperationName, operationNames, operations } from "../../lib/chat-api/operations.ts";
import { resources } from "../../lib/chat-api/resources.ts";
import { code, table } from "./table.ts";

/** The JSON Schema keywords that the tables show. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  maxItems?: number;
  format?: string;
  description?: string;
}

function operationsTable(): string {
  const rows = operationNames.map((name) => {
    const { method, path, status, body, maxBodyBytes, streams } = operations[name];
    const sent = body === "none" ? "–" : `${body}, ${size(maxBodyBytes)}`;
    return [
      code(name),
      code(`${method} ${path}`),
      sent,
      `${status}${streams ? ", streams" : ""}`,
      operationErrors[name].map(code).join(" "),
    ];
  });
  return table(["operation", "request", "body, at most", "first answer", "errors of its own"], rows);
}

function resourcesTables(): string {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(resources)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: "output", uri: (id) => id, unrepresentable: "any" });
  return Object.entries(schemas as Record<string, Schema>)
    .map(([name, { properties = {} }]) => {
      const rows = Object.entries(properties).map(([field, schema]) => [
        code(field),
        typeOf(schema),
        schema.description ?? "",
      ]);
      return `### ${name}\n\n${table(["field", "type", "notes"], rows)}`;
    })
    .join("\n\n");
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.anyOf !== undefined)
    return schema.anyOf
      .map((option) => (option.type === "null" ? "?" : typeOf(option)))
      .toSorted((a, b) => Number(a === "?") - Number(b === "?"))
      .join("");
  if (schema.enum !== undefined) return schema.enum.map(code).join(" ");
  if (schema.type === "array")
    return `list of ${typeOf(schema.items ?? {})}${schema.maxItems === undefined ? "" : `, at most ${schema.maxItems}`}`;
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(([field, inner]) => `${field}: ${typeOf(inner)}`);
    return `{ ${fields.join(", ")} }`;
  }
  const types = [schema.type ?? "any"].flat().filter((type) => type !== "null");
  return (
    (schema.format === "date-time" ? "time" : types.join(" or ")) + (Array.isArray(schema.type) ? "?" : "")
  );
}

const days = (milliseconds: number) => `${milliseconds / 86_400_000} days`.replace(/^1 days$/, "1 day");
const size = (bytes: number) => (bytes < 1_048_576 ? `${bytes / 1024} KiB` : `${bytes / 1_048_576} MiB`);
const units = (length: number) => `${length.toLocaleString("en")} UTF-16 code units`;

function limitsTable(): string {
  const { min, max, default: usual } = limits.messagesPerPage;
  return table(
    ["limit", "value"],
    [
      ["text of a message", units(limits.messageTextLength)],
      ["files of a message", String(limits.filesPerMessage)],
      ["types of files", fileMediaTypes.map(code).join(" ")],
      ["size of a file", size(limits.fileBytes)],
      ["files of a chat", `${limits.filesPerChat}, ${size(limits.fileBytesPerChat)} in all`],
      ["an unsent file is deleted after", days(limits.unsentFileLifetime)],
      ["answers of a submission", `${limits.answersPerSubmission}, ${units(limits.answerLength)} each`],
      ["skipped fields of a submission", String(limits.skippedFieldsPerSubmission)],
      ["messages of a page", `${min} to ${max}, ${usual} unless given`],
      ["key of a created chat is kept for", days(limits.createKeyRetention)],
      ["a silent stream gets a comment after", `${limits.keepAliveInterval / 1000} s`],
    ],
  );
}

function errorsTable(codes: readonly ErrorCode[]): string {
  const global: readonly string[] = globalErrorCodes;
  const rows = codes.map((name) => {
    const { status, retry, nextKey } = errorRules[name];
    const origin = global.includes(name) ? "every" : operationsWith(name).map(code).join(" ");
    return [
      code(name),
      String(status),
      sentenceOf(name),
      origin || "–",
      retry === "never" ? "no" : "yes",
      nextKey,
    ];
  });
  return table(["code", "status", "means", "operations", "repeated", "next key"], rows);
}

function operationsWith(name: ErrorCode): OperationName[] {
  return operationNames.filter((operation) => operationErrors[operation].some((error) => error === name));
}

/** The tables of docs/chat-api.md, from the contract. */
export const chatApiTables = {
  operations: operationsTable,
  resources: resourcesTables,
  limits: limitsTable,
  errors: () => errorsTable(chatApiErrorCodes),
  "bff errors": () => errorsTable(bffErrorCodes),
};
