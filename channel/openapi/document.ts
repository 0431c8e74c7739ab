/** The description of the Chat API (OpenAPI 3.1), generated from the contract's tables. */
import {
  bodyOfError,
  ChatApiError,
  type ChatApiErrorCode,
  chatApiErrorCodes,
  globalErrorCodes,
  responseOf,
} from "#lib/chat-api/errors.ts";
import { headerNames, rateLimitHeaders } from "#lib/chat-api/headers.ts";
import { fileMediaTypes, limits } from "#lib/chat-api/limits.ts";
import { operationContracts } from "#lib/chat-api/operation-contracts.ts";
import { exampleTurn } from "#lib/chat-api/operations/example-chat.ts";
import type { OperationContract } from "#lib/chat-api/operations/operation-contract.ts";
import { type OperationName, operationNames, operations } from "#lib/chat-api/operations.ts";
import {
  channelKeyPattern,
  chatIdPattern,
  cursorPattern,
  fileIdPattern,
  idempotencyKeyPattern,
} from "#lib/chat-api/patterns.ts";
import { turnEventSchemas } from "#lib/chat-api/turn-event-schemas.ts";
import { encodeTurnEvent, eventStreamType } from "#lib/chat-api/turn-events.ts";
import { componentSchemas, type JsonSchema, refTo, schemaRef } from "./schemas.ts";

type OperationDescription = ReturnType<typeof describeOperation>;

/** @param origin The caller's address of the channel */
export function openApiDocument(origin: string) {
  const paths: Record<string, Record<string, OperationDescription>> = {};
  for (const name of operationNames) {
    const { method, path } = operations[name];
    const described = { [method.toLowerCase()]: describeOperation(name) };
    paths[`/v1/channels/{channelKey}${path}`] = Object.assign(
      paths[`/v1/channels/{channelKey}${path}`] ?? {},
      described,
    );
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Chat API",
      version: "1",
      description:
        "Lets a customer's own server talk to a published agent. Call it from a server, never from a browser.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: origin }],
    security: [{ chatKey: [] }],
    paths,
    components: {
      schemas: componentSchemas,
      securitySchemes: {
        chatKey: {
          type: "http",
          scheme: "bearer",
          description: "The chat key, a secret that starts with `ck_`.",
        },
      },
    },
  };
}

export function describeOperation(name: OperationName) {
  const contract: OperationContract = operationContracts[name];
  const { summary, description } = contract;
  const body = bodyOf(contract);
  return {
    operationId: name,
    summary,
    description,
    parameters: parametersOf(name, contract),
    ...(body === undefined ? {} : { requestBody: { required: true as const, content: body } }),
    responses: {
      "200": success(contract, "Done. For a replay, the first result of its idempotency key."),
      ...(operations[name].status === 201 && { "201": success(contract, "Done for the first time.") }),
      ...errorResponses(contract),
    },
  };
}

function bodyOf({ body, example }: OperationContract): Record<string, JsonSchema> | undefined {
  if (body === undefined) return undefined;
  if (body !== "file") return { "application/json": { schema: refTo(body), example: example.body } };
  const file = {
    type: "string",
    contentMediaType: fileMediaTypes.join(", "),
    description: `At most ${limits.fileBytes} bytes.`,
  };
  return {
    "multipart/form-data": {
      schema: { type: "object", required: ["file"], properties: { file }, additionalProperties: false },
      encoding: { file: { contentType: fileMediaTypes.join(", ") } },
    },
  };
}

function success({ response, streams, example }: OperationContract, description: string) {
  const names = [headerNames.requestId, ...Object.values(rateLimitHeaders)];
  if (response === undefined) {
    const content = Object.fromEntries(fileMediaTypes.map((type) => [type, { schema: {} }]));
    return { description, headers: headersNamed(...names, "Content-Disposition"), content };
  }
  const json = { "application/json": { schema: refTo(response), example: example.response } };
  const stream = { [eventStreamType]: { schema: schemaRef("TurnEvent") } };
  const content = streams === true ? { ...json, ...stream } : json;
  return { description, headers: headersNamed(...names), content };
}

/** The operation's own errors, those of every operation, and those of unknown paths and methods. */
function errorResponses({ errors }: OperationContract) {
  const codes = new Set<ChatApiErrorCode>([
    ...errors,
    ...globalErrorCodes,
    "not_found",
    "method_not_allowed",
  ]);
  const byStatus = Map.groupBy(
    chatApiErrorCodes.filter((code) => codes.has(code)),
    (code) => responseOf(code).status,
  );
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(status, group)]));
}

function errorResponse(status: number, codes: readonly ChatApiErrorCode[]) {
  const examples = codes.map((code) => [code, { value: bodyOfError(new ChatApiError(code), requestId) }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${responseOf(code).sentence}`).join("\n\n"),
    headers: headersNamed(
      headerNames.requestId,
      ...(status === 429 || status === 503 ? [headerNames.retryAfter] : []),
      ...(status === 405 ? (["Allow"] as const) : []),
    ),
    content: {
      "application/json": { schema: refTo(turnEventSchemas.error), examples: Object.fromEntries(examples) },
    },
  };
}

/** Response headers by their name. */
const headers = {
  [headerNames.requestId]: header("Names this request; equals `error.requestId` in an error body.", "string"),
  [rateLimitHeaders.limit]: header("Requests that a window allows."),
  [rateLimitHeaders.remaining]: header("Requests that are left in this window."),
  [rateLimitHeaders.reset]: header("Seconds until the window ends."),
  [headerNames.retryAfter]: header("Seconds to wait before the same request is sent again."),
  Allow: header("The methods that the path has.", "string"),
  "Content-Disposition": header("How the file is to be shown, and its name.", "string"),
};

function header(description: string, type: "integer" | "string" = "integer") {
  return { description, required: true, schema: { type } };
}

type HeaderName = keyof typeof headers;

function headersNamed(...names: HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

const examples: Record<string, string> = {
  channelKey: "dep_demo_shop",
  chatId: "chat_Zr0vV2l8dQ5nT1xk3Yw7Ag",
  fileId: "file_5vQ3wEr7TyUi9oPaSdFgHj",
  [headerNames.idempotencyKey]: "1f0c6a52-7f1e-4b6e-9a55-2c8f3f6f4f10",
};
const channelKey = parameter("path", "channelKey", "The channel's address.", matching(channelKeyPattern));
const chatId = parameter("path", "chatId", "The chat.", matching(chatIdPattern));
const fileId = parameter("path", "fileId", "The file.", matching(fileIdPattern));
const idempotencyKey = parameter(
  "header",
  headerNames.idempotencyKey,
  "Repeating a request with the same key and the same content returns the first result. A UUID is recommended.",
  matching(idempotencyKeyPattern),
);
const { min: minimum, max: maximum, default: usual } = limits.messagesPerPage;
const pageParameters = [
  parameter("query", "limit", "Messages in a page.", { type: "integer", minimum, maximum, default: usual }),
  parameter("query", "cursor", "The `nextCursor` of the previous page.", matching(cursorPattern)),
];

function matching({ source }: RegExp): JsonSchema {
  return { type: "string", pattern: source };
}

function parameter(
  place: "path" | "header" | "query",
  name: string,
  description: string,
  schema: JsonSchema,
) {
  const [required, example] = [place !== "query", examples[name]];
  return { in: place, name, required, description, schema, ...(example !== undefined && { example }) };
}

function parametersOf(name: OperationName, { query }: OperationContract) {
  const { path, writes } = operations[name];
  return [
    channelKey,
    ...[chatId, fileId].filter((id) => path.includes(`{${id.name}}`)),
    ...(writes ? [idempotencyKey] : []),
    ...(query === undefined ? [] : pageParameters),
  ];
}

const requestId = "req_x7rhNknLr8d8m-Yr5S4hSw";
const { message, reply } = exampleTurn;

export const streamExample = [
  encodeTurnEvent({
    type: "start",
    chatId: message.chatId,
    requestId,
    messageId: message.id,
    replyId: reply?.id ?? null,
  }),
  encodeTurnEvent({ type: "delta", text: "Yes, we deliver " }),
  encodeTurnEvent({ type: "delta", text: "to every county of Ireland." }),
  encodeTurnEvent({ type: "done", item: exampleTurn }),
].join("");
