/** The generated parts of docs/chat-api.md, from the contract and the OpenAPI description. */
import { chatApiErrorCodes, type ErrorCode, errorRules, responseOf } from "#lib/chat-api/errors.ts";
import { operationContracts } from "#lib/chat-api/operation-contracts.ts";
import type { OperationContract } from "#lib/chat-api/operations/operation-contract.ts";
import { type OperationName, operationNames, operations } from "#lib/chat-api/operations.ts";
import { emailPattern } from "#lib/chat-api/patterns.ts";
import { describeOperation, streamExample } from "../../channel/openapi/document.ts";
import { sampleOf } from "../../channel/openapi/samples.ts";
import { componentSchemas, refTo } from "../../channel/openapi/schemas.ts";
import { code, type Tables, table } from "./markdown.ts";

/** The JSON Schema keywords that the tables show. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  anyOf?: Schema[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  maxLength?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
  default?: number;
  pattern?: string;
  format?: string;
  description?: string;
}

/** The named schemas of the OpenAPI description. */
const schemas = componentSchemas as Record<string, Schema>;

export const referenceTables: Tables = {
  operations: operationsTable,
  "each operation": () => operationNames.map(operationSection).join("\n\n"),
  stream: () => [`\`\`\`text\n${streamExample.trimEnd()}\n\`\`\``, sample("stream")].join("\n\n"),
  resources: resourcesTables,
  errors: () => errorsTable(chatApiErrorCodes),
};

function operationsTable(): string {
  const rows = operationNames.map((name) => {
    const { method, path, status } = operations[name];
    const { body, maxBodyBytes = 0, streams = false } = contractOf(name);
    const sent =
      body === undefined ? "–" : `${body === "file" ? "multipart" : "json"}, ${size(maxBodyBytes)}`;
    return [code(name), code(`${method} ${path}`), sent, `${status}${streams ? ", streams" : ""}`];
  });
  return table(["operation", "request", "body, at most", "first response"], rows);
}

function contractOf(name: OperationName): OperationContract {
  return operationContracts[name];
}

function operationSection(name: OperationName): string {
  const { method, path, status } = operations[name];
  const { summary, description, errors, example, streams } = contractOf(name);
  const sent = fieldRows(sentBy(name));
  const replay = status === 201 ? ", a replay 200" : "";
  const answer = `- Answers ${status}${replay}: ${answerOf(name)}${streams ? " or a stream" : ""}.`;
  const isFirst = operationNames.find((other) => answerOf(other) === answerOf(name)) === name;
  return [
    `### ${summary}`,
    code(`${method} /v1/channels/{channelKey}${path}`),
    wrapped(description),
    ...(sent.length === 0
      ? []
      : [table([method === "GET" ? "query" : "body", "type", "limits", "meaning"], sent)]),
    `${answer}\n${wrapped(`- Errors: ${errors.map(code).join(", ")}.`, "  ")}`,
    sample(name),
    ...(isFirst && example.response !== undefined
      ? [details("Example of the response", "json", JSON.stringify(example.response, null, 2))]
      : []),
  ].join("\n\n");
}

function answerOf(name: OperationName): string {
  const { response } = contractOf(name);
  return response === undefined ? "the file's bytes" : code(typeOf(refTo(response)));
}

/** Breaks the lines at the document's width. */
const wrapped = (text: string, indent = "") =>
  text.replaceAll(/(.{1,108})(?: |$)/g, `$1\n${indent}`).trimEnd();

/** The fields of the body, or the parameters: not the path, nor the headers of every request. */
function sentBy(name: OperationName): Schema {
  const { parameters, requestBody } = describeOperation(name);
  const [content] = Object.values(requestBody?.content ?? {});
  if (content !== undefined) return resolve(content["schema"] as Schema);
  const query = parameters.filter((parameter) => parameter.in === "query");
  const properties = query.map(({ schema, description, ...its }) => [its.name, { ...schema, description }]);
  return { properties: Object.fromEntries(properties), required: [] };
}

function resolve(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {});
}

function resourcesTables(): string {
  return Object.entries(schemas)
    .filter(([name]) => !name.endsWith("Body") && name !== "TurnEvent")
    .map(
      ([name, schema]) => `### ${name}\n\n${table(["field", "type", "limits", "notes"], fieldRows(schema))}`,
    )
    .join("\n\n");
}

function fieldRows({ properties = {}, required = [] }: Schema): string[][] {
  return Object.entries(properties).map(([field, its]) => [
    code(field),
    typeOf(its),
    [...(required.includes(field) ? [] : ["optional"]), ...limitsOf(its)].join(", "),
    its.description ?? "",
  ]);
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.anyOf !== undefined)
    return schema.anyOf
      .map((option) => (option.type === "null" ? "?" : typeOf(option)))
      .toSorted((a, b) => Number(a === "?") - Number(b === "?"))
      .join("");
  if (schema.enum !== undefined) return schema.enum.map(code).join(" ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  if (typeof schema.additionalProperties === "object")
    return `object of ${typeOf(schema.additionalProperties)}`;
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(([field, inner]) => `${field}: ${typeOf(inner)}`);
    return `{ ${fields.join(", ")} }`;
  }
  const types = [schema.type ?? "any"].flat().filter((type) => type !== "null");
  return (
    (schema.format === "date-time" ? "time" : types.join(" or ")) + (Array.isArray(schema.type) ? "?" : "")
  );
}

function limitsOf(schema: Schema): string[] {
  const { items, additionalProperties: answers, default: usual, maxProperties, maxLength } = schema;
  return [
    ...range(schema.minItems, schema.maxItems),
    ...(schema.uniqueItems === true ? ["no two alike"] : []),
    ...range(undefined, maxProperties),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} UTF-16 code units`]),
    // The integers' own limits say nothing.
    ...range(schema.minimum, (schema.maximum ?? 0) < Number.MAX_SAFE_INTEGER ? schema.maximum : undefined),
    ...(usual === undefined ? [] : [`${usual} if absent`]),
    ...patternOf(schema),
    ...[items, answers].flatMap((inner) =>
      typeof inner === "object" ? limitsOf(inner).map((limit) => `each ${limit}`) : [],
    ),
  ];
}

function patternOf({ pattern }: Schema): string[] {
  if (pattern === undefined) return [];
  if (pattern === emailPattern.source) return ["an email address"];
  const [, signs, from, to] = /^\^\[A-Za-z0-9(.+)\]\{(\d+),(\d+)\}\$$/.exec(pattern) ?? [];
  if (signs === undefined) return [code(pattern)];
  return [`${from} to ${to} letters, digits or ${code([...signs].join(" "))}`];
}

function range(from: number | undefined, to: number | undefined): string[] {
  if (to === undefined) return from === undefined || from < 0 ? [] : [`at least ${from}`];
  return [from === undefined ? `at most ${to}` : `${from} to ${to}`];
}

const sample = (name: Parameters<typeof sampleOf>[0]) => details("curl", "sh", sampleOf(name));

function details(summary: string, language: string, text: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n\`\`\`${language}\n${text}\n\`\`\`\n\n</details>`;
}

const nameOf = (reference: string) => reference.split("/").at(-1) ?? reference;
const size = (bytes: number) => (bytes < 1_048_576 ? `${bytes / 1024} KiB` : `${bytes / 1_048_576} MiB`);

export function errorsTable(codes: readonly ErrorCode[]): string {
  const rows = codes.map((name) => {
    const { status, sentence } = responseOf(name);
    const { retry, nextKey } = errorRules[name];
    return [code(name), String(status), sentence, retry === "never" ? "no" : "yes", nextKey];
  });
  return table(["code", "status", "means", "repeated", "next key"], rows);
}
