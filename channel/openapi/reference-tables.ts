/**
 * The generated parts of docs/chat-api.md, from the contract and the OpenAPI description. The channel fills
 * them in again for each caller, with the caller's address and key file.
 */
import { z } from "zod";
import { emailPattern } from "#lib/chat-api/email.ts";
import { chatApiErrorCodes, errorRules, globalErrorCodes, responseOf } from "#lib/chat-api/errors.ts";
import { fileMediaTypes, limits } from "#lib/chat-api/limits.ts";
import { operationContracts } from "#lib/chat-api/operation-contracts.ts";
import type { OperationContract } from "#lib/chat-api/operations/operation-contract.ts";
import { type OperationName, operationNames, operations } from "#lib/chat-api/operations.ts";
import { describeOperation, type OperationDescription, streamExample } from "./document.ts";
import { code, type Tables, table } from "./fill-tables.ts";
import { type Caller, sampleOf } from "./samples.ts";
import { componentSchemas } from "./schemas.ts";

/** The caller of the channel of `npm run channel` from the repository. */
export const repositoryCaller: Caller = {
  origin: "http://127.0.0.1:2428",
  channelKey: "dep_demo_shop",
  chatKeyFile: ".data/chat-key",
};

/** The JSON Schema keywords that the tables show. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
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

export function referenceTables(caller: Caller): Tables {
  return {
    "first call": () => firstCall(caller),
    operations: operationsTable,
    "each operation": () => operationNames.map((name) => operationSection(name, caller)).join("\n\n"),
    stream: () => streamSection(caller),
    resources: resourcesTables,
    limits: limitsTable,
    errors: errorsTable,
  };
}

function firstCall({ origin, channelKey, chatKeyFile }: Caller): string {
  return table(
    ["what", "value"],
    [
      ["address", code(`${origin}/v1/channels/${channelKey}`)],
      [
        "chat key",
        chatKeyFile === undefined
          ? "in the variable `CHAT_KEY`, as the channel's start says"
          : `in the file ${code(chatKeyFile)}`,
      ],
      ["for programs", `${code(`${origin}/v1/openapi.json`)}, OpenAPI 3.1`],
    ],
  );
}

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

function operationSection(name: OperationName, caller: Caller): string {
  const { method, path } = operations[name];
  const { errors, example } = contractOf(name);
  const operation = describeOperation(name, caller);
  const sent = sentRows(operation);
  return [
    `### ${operation.summary}`,
    code(`${method} /v1/channels/{channelKey}${path}`),
    wrapped(operation.description),
    ...(sent.length === 0 ? [] : [table(["sent", "type", "limits", "meaning"], sent)]),
    [...successes(name, operation), wrapped(`- Errors: ${errors.map(code).join(", ")}.`, "  ")].join("\n"),
    details("curl", "sh", sampleOf(name, caller)),
    ...(example.response === undefined || isShownBefore(name)
      ? []
      : [details("Example of the response", "json", json(example.response))]),
  ].join("\n\n");
}

/** Whether an earlier operation answers with the same resource. */
function isShownBefore(name: OperationName): boolean {
  const itemOf = (one: OperationName) => {
    const { response } = contractOf(one);
    return response instanceof z.ZodObject ? response.shape["item"] : response;
  };
  return operationNames.slice(0, operationNames.indexOf(name)).some((one) => itemOf(one) === itemOf(name));
}

/** Breaks the lines at the document's width. */
const wrapped = (text: string, indent = "") =>
  text.replaceAll(/(.{1,108})(?: |$)/g, `$1\n${indent}`).trimEnd();

/** The parameters and body fields: not the path, nor the headers of every request. */
function sentRows({ parameters, requestBody }: OperationDescription): string[][] {
  const [content] = Object.values(requestBody?.content ?? {});
  const { properties = {}, required = [] } = resolve((content?.["schema"] ?? {}) as Schema);
  const query = parameters.filter((parameter) => parameter.in === "query");
  return [
    ...query.map(({ name, schema, description }) => [
      `query ${code(name)}`,
      typeOf(schema),
      limitsOf(schema, false),
      description,
    ]),
    ...Object.entries(properties).map(([field, its]) => [
      `body ${code(field)}`,
      typeOf(its),
      limitsOf(its, required.includes(field)),
      its.description ?? "",
    ]),
  ];
}

/** A line for each response that is no error, the first execution's first. */
function successes(name: OperationName, { responses }: OperationDescription): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .toSorted(([one], [other]) => Number(other) - Number(one))
    .map(([status, { description, content = {} }]) => {
      const schema = content["application/json"]?.schema as Schema | undefined;
      const body = schema === undefined ? "the file's bytes" : code(typeOf(schema));
      return `- ${status}, ${contractOf(name).streams ? `${body} or a stream` : body}: ${description}`;
    });
}

function resolve(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {});
}

function streamSection(caller: Caller): string {
  const events = schemas["TurnEvent"]?.oneOf ?? [];
  const rows = events.flatMap(({ properties = {} }) => {
    const event = code(properties["event"]?.const ?? "");
    const data = properties["data"] ?? {};
    const { properties: fields = {} } = resolve(data);
    return Object.entries(fields).map(([field, schema]) => [
      event,
      code(field),
      field === "error" ? "as in an error body" : typeOf(schema),
      schema.description ??
        (field === "item"
          ? "As the JSON response. The turn has ended."
          : "The turn has ended without a reply."),
    ]);
  });
  return [
    table(["event", "data", "type", "meaning"], rows),
    `\`\`\`text\n${streamExample.trimEnd()}\n\`\`\``,
    details("curl", "sh", sampleOf("stream", caller)),
  ].join("\n\n");
}

function resourcesTables(): string {
  const events = ["TurnEvent", "TurnStart", "TurnDelta"];
  return Object.entries(schemas)
    .filter(([name]) => !name.endsWith("Body") && !events.includes(name))
    .map(([name, schema]) => {
      const rows = Object.entries(schema.properties ?? {}).flatMap(([field, its]) => fieldRows(field, its));
      return `### ${name}\n\n${table(["field", "type", "limits", "notes"], rows)}`;
    })
    .join("\n\n");
}

/** The row of a field; the fields of an error body, which is nested, have rows of their own. */
function fieldRows(field: string, schema: Schema): string[][] {
  if (field === "error" && schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([inner, its]) =>
      fieldRows(`error.${inner}`, {
        ...its,
        description: `${its.description ?? ""}${schema.required?.includes(inner) === true ? "" : " Optional."}`,
      }),
    );
  return [[code(field), typeOf(schema), limitsOf(schema, undefined), schema.description ?? ""]];
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

/** @param required undefined for a field of a response, which is always there */
function limitsOf(schema: Schema, required: boolean | undefined): string {
  const { items, additionalProperties: answers, default: usual } = schema;
  return [
    required === undefined ? "" : required ? "required" : "optional",
    range(schema.minItems, schema.maxItems),
    schema.uniqueItems === true ? "no two alike" : "",
    schema.maxProperties === undefined ? "" : `at most ${schema.maxProperties}`,
    schema.maxLength === undefined ? "" : `at most ${units(schema.maxLength)}`,
    // The integers' own limits say nothing.
    range(schema.minimum, (schema.maximum ?? 0) < Number.MAX_SAFE_INTEGER ? schema.maximum : undefined),
    usual === undefined ? "" : `${usual} if absent`,
    patternOf(schema),
    items?.pattern === undefined ? "" : `each of ${patternOf(items)}`,
    typeof answers === "object" && answers.maxLength !== undefined ? `${units(answers.maxLength)} each` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function patternOf({ pattern }: Schema): string {
  if (pattern === undefined) return "";
  if (pattern === emailPattern.source) return "an email address";
  const [, signs, from, to] = /^\^\[A-Za-z0-9(.+)\]\{(\d+),(\d+)\}\$$/.exec(pattern) ?? [];
  return signs === undefined
    ? code(pattern)
    : `${from} to ${to} letters, digits or ${code([...signs].join(" "))}`;
}

function range(from: number | undefined, to: number | undefined): string {
  if (to === undefined) return from === undefined || from < 0 ? "" : `at least ${from}`;
  return from === undefined ? `at most ${to}` : `${from} to ${to}`;
}

function details(summary: string, language: string, text: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n\`\`\`${language}\n${text}\n\`\`\`\n\n</details>`;
}

/** Indented JSON, in which short objects and lists take one line. */
function json(value: unknown, indent = ""): string {
  const flat = JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
  if (typeof value !== "object" || value === null || flat.length + indent.length <= 100) return flat;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([key, part]) => `${inner}${isList ? "" : `${JSON.stringify(key)}: `}${json(part, inner)}`,
  );
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}
const nameOf = (reference: string) => reference.split("/").at(-1) ?? reference;
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
      ["body in JSON", `${size(limits.jsonBodyBytes)}; ${size(limits.collectionBodyBytes)} of a submission`],
      ["answers of a submission", `${limits.answersPerSubmission}, ${units(limits.answerLength)} each`],
      ["skipped fields of a submission", String(limits.skippedFieldsPerSubmission)],
      ["messages of a page", `${min} to ${max}, ${usual} unless given`],
      ["key of a created chat is kept for", days(limits.createKeyRetention)],
      ["a silent stream gets a comment after", `${limits.keepAliveInterval / 1000} s`],
    ],
  );
}

function errorsTable(): string {
  const global: readonly string[] = globalErrorCodes;
  const rows = chatApiErrorCodes.map((name) => {
    const { status, sentence } = responseOf(name);
    const { retry, nextKey } = errorRules[name];
    const own = operationNames.filter((operation) => contractOf(operation).errors.includes(name));
    const origin = global.includes(name) ? "every" : own.map(code).join(" ");
    return [code(name), String(status), sentence, origin || "–", retry === "never" ? "no" : "yes", nextKey];
  });
  return table(["code", "status", "means", "operations", "repeated", "next key"], rows);
}
