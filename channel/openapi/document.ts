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
import { encodeTurnEvent, eventStreamType } from "#lib/chat-api/turn-events.ts";
import { type Caller, sampleOf } from "./samples.ts";
import { componentSchemas, type JsonSchema, refTo, schemaRef } from "./schemas.ts";

export type OperationDescription = ReturnType<typeof describeOperation>;

interface ResponseDescription {
  description: string;
  headers: Record<string, { description: string; required: boolean; schema: JsonSchema }>;
  content?: Record<
    string,
    { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
  >;
}

export function openApiDocument(caller: Caller) {
  const paths: Record<string, Record<string, OperationDescription>> = {};
  for (const name of operationNames) {
    const path = `/v1/channels/{channelKey}${operations[name].path}`;
    paths[path] = {
      ...paths[path],
      [operations[name].method.toLowerCase()]: describeOperation(name, caller),
    };
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
    servers: [{ url: caller.origin }],
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

export function describeOperation(name: OperationName, caller: Caller) {
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
      ...(operations[name].status === 201
        ? {
            "201": success(contract, "The first execution of the idempotency key."),
            "200": success(contract, "A replay: the first result of the idempotency key."),
          }
        : { "200": success(contract, "Done.") }),
      ...errorResponses(contract),
    },
    "x-codeSamples": [{ lang: "sh", label: "curl", source: sampleOf(name, caller) }],
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

function success(
  { response, streams, example }: OperationContract,
  description: string,
): ResponseDescription {
  const names = [headerNames.requestId, ...Object.values(rateLimitHeaders)];
  if (response === undefined) {
    const content = Object.fromEntries(fileMediaTypes.map((type) => [type, { schema: {} }]));
    return { description, headers: headersNamed(...names, "Content-Disposition"), content };
  }
  return {
    description,
    headers: headersNamed(...names),
    content: {
      "application/json": { schema: refTo(response), example: example.response },
      ...(streams === true ? { [eventStreamType]: { schema: schemaRef("TurnEvent") } } : {}),
    },
  };
}

/** The operation's own errors, those of every operation, and those of unknown paths and methods. */
function errorResponses({ errors }: OperationContract): Record<string, ResponseDescription> {
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

function errorResponse(status: number, codes: readonly ChatApiErrorCode[]): ResponseDescription {
  return {
    description: codes.map((code) => `\`${code}\`: ${responseOf(code).sentence}`).join("\n\n"),
    headers: headersNamed(
      headerNames.requestId,
      ...(status === 429 || status === 503 ? [headerNames.retryAfter] : []),
      ...(status === 405 ? (["Allow"] as const) : []),
    ),
    content: {
      "application/json": {
        schema: schemaRef("Error"),
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
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

function headersNamed(...names: HeaderName[]): ResponseDescription["headers"] {
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

const channelKey = parameter("channelKey", "The channel's address.", channelKeyPattern, "dep_demo_shop");
const chatId = parameter("chatId", "The chat.", chatIdPattern, "chat_Zr0vV2l8dQ5nT1xk3Yw7Ag");
const fileId = parameter("fileId", "The file.", fileIdPattern, "file_5vQ3wEr7TyUi9oPaSdFgHj");
const idempotencyKey = {
  ...parameter(
    headerNames.idempotencyKey,
    "Repeating a request with the same key and the same content returns the first result. A UUID is recommended.",
    idempotencyKeyPattern,
    "1f0c6a52-7f1e-4b6e-9a55-2c8f3f6f4f10",
  ),
  in: "header",
};
const pageParameters = [
  {
    in: "query",
    name: "limit",
    required: false,
    description: "Messages in a page.",
    schema: {
      type: "integer",
      minimum: limits.messagesPerPage.min,
      maximum: limits.messagesPerPage.max,
      default: limits.messagesPerPage.default,
    },
  },
  {
    in: "query",
    name: "cursor",
    required: false,
    description: "The `nextCursor` of the previous page.",
    schema: { type: "string", pattern: cursorPattern.source },
  },
];

function parameter(name: string, description: string, pattern: RegExp, example: string) {
  const schema = { type: "string", pattern: pattern.source };
  return { in: "path", name, required: true, description, schema, example };
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

/** The body of an error response with this code. */
export function errorExample(code: ChatApiErrorCode): unknown {
  const { status } = responseOf(code);
  const waits = status === 429 || status === 503;
  const error = new ChatApiError(code, {
    ...(code === "invalid_request" ? { field: "/text" } : {}),
    ...(waits ? { retryAfterSeconds: 2 } : {}),
  });
  return bodyOfError(error, requestId);
}
