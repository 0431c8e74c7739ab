/**
 * Mounts the operations. The checks have this order, so that an error always names the first problem, and
 * callers without a key learn nothing about the channel:
 *
 *   method -> Origin -> chat key -> published, suspended -> IDs -> rate limit
 *     -> content type, length -> (Accept, Last-Event-ID: messages) -> idempotency key -> JSON, schema
 *     -> handler
 *
 * The content type of an upload is checked after its idempotency key.
 */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { type JsonBody, type JsonOperation, operationContracts } from "#lib/chat-api/operation-contracts.ts";
import { type OperationName, operationNames, operations } from "#lib/chat-api/operations.ts";
import { parseIdempotencyKey, parseJsonObject, parseRequest } from "#lib/chat-api/parse-request.ts";
import { channelKeyPattern, chatIdPattern, fileIdPattern } from "#lib/chat-api/patterns.ts";
import { type Clock, secondsUntil } from "../core.ts";
import { type ChannelApp, type ChannelContext, channelPath } from "../http/app.ts";
import type { Credential } from "../http/credentials.ts";
import { readBytes, requireJsonType } from "../http/request-body.ts";
import { setRateHeaders } from "../http/responses.ts";
import { fingerprint, type WriteRequest } from "../idempotency/ledger.ts";
import type { Admissions } from "../settings/rate-limit.ts";
import type { ChannelSettings } from "../settings/settings.ts";

export interface RouteDeps {
  app: ChannelApp;
  channelKey: string;
  chatKey: Credential;
  admissions: Admissions;
  clock: Clock;
  /** Wraps every admitted operation: the lab injects its faults here. */
  around?: AroundOperation | undefined;
}

export type AroundOperation = (
  operation: OperationName,
  context: ChannelContext,
  run: () => Promise<Response>,
) => Promise<Response>;

/** The input of an operation's handler, after the checks that every operation has. */
export interface Call {
  context: ChannelContext;
  channelKey: string;
  /** A well-formed chat ID; empty where the path has none. */
  chatId: string;
  fileId: string;
  request: Request;
  settings: ChannelSettings;
}

/** A call whose JSON body matched the operation's schema, with its idempotency key. */
export interface WriteCall<Body> extends Call {
  body: Body;
  write: WriteRequest;
}

/** Handles a call that passed the checks, and reads its body, if it has one. */
export type Handler = (call: Call) => Promise<Response>;

/**
 * The handler of an operation with a JSON body. `beforeBody` reads and checks more headers, after the size
 * check and before parsing. The fingerprint covers the body with `defaults` filled in, so that a request
 * with a default value equals one that omits the field.
 */
export function jsonWrite<Name extends JsonOperation, Read = undefined>(
  name: Name,
  handle: (call: WriteCall<JsonBody<Name>>, read: Read | undefined) => Promise<Response>,
  options: { beforeBody?: (request: Request) => Read; defaults?: Partial<JsonBody<Name>> } = {},
): Handler {
  const { method } = operations[name];
  const { body: schema, maxBodyBytes } = operationContracts[name];
  return async (call) => {
    const { request } = call;
    requireJsonType(request.headers);
    const bytes = await readBytes(request, maxBodyBytes);
    call.context.set("requestBody", bytes);
    const read = options.beforeBody?.(request);
    const key = parseIdempotencyKey(request.headers.get(headerNames.idempotencyKey));
    // The schema belongs to this operation, which TypeScript cannot infer from the lookup.
    const body = parseRequest(schema, parseJsonObject(bytes)) as JsonBody<Name>;
    const path = new URL(request.url).pathname;
    const write = {
      channelKey: call.channelKey,
      chatId: call.chatId,
      kind: name,
      key,
      fingerprint: fingerprint(method, path, { ...options.defaults, ...body }),
    };
    return handle({ ...call, body, write }, read);
  };
}

export function mountOperations(deps: RouteDeps, handlers: Readonly<Record<OperationName, Handler>>): void {
  for (const name of operationNames) mount(deps, name, handlers[name]);
}

function mount(deps: RouteDeps, name: OperationName, handle: Handler): void {
  const { method, path } = operations[name];
  deps.app.on(method, `${channelPath}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, async (context, next) => {
    // Hono answers HEAD with the GET handler; the Chat API has no HEAD.
    if (context.req.raw.method !== method) return next();
    context.set("operation", name);
    const call = await admit(deps, context);
    const run = () => handle(call);
    const response = deps.around === undefined ? await run() : await deps.around(name, context, run);
    // A first execution answers 201, a replay 200 (docs/chat-api.md, "Idempotency").
    if (operations[name].status === 201 && response.status === 200) context.set("isReplay", true);
    const rate = context.get("rate");
    if (rate !== undefined) setRateHeaders(response.headers, rate, deps.clock.now());
    return response;
  });
}

/** The checks that every operation has. */
async function admit(deps: RouteDeps, context: ChannelContext): Promise<Call> {
  const request = context.req.raw;
  if (request.headers.has("origin")) throw new ChatApiError("origin_not_allowed");
  deps.chatKey.require(request.headers.get("authorization"));
  const channelKey = context.req.param("channelKey") ?? "";
  // A chat key is valid for its own channel only.
  if (channelKeyPattern.test(channelKey) && channelKey !== deps.channelKey)
    throw new ChatApiError("invalid_api_key");
  const { settings, rate } = await deps.admissions.admit();
  if (!settings.published) throw new ChatApiError("channel_disabled");
  if (settings.suspended) throw new ChatApiError("workspace_suspended");
  const chatId = requireId(context, "chatId", chatIdPattern);
  const fileId = requireId(context, "fileId", fileIdPattern);
  if (channelKey !== deps.channelKey) throw new ChatApiError("invalid_id");
  if (chatId !== "") context.set("chatId", chatId);
  if (rate.exceeded)
    throw new ChatApiError("rate_limited", {
      retryAfterSeconds: secondsUntil(rate.resetAt, deps.clock.now()),
    });
  context.set("rate", rate);
  return { context, channelKey, chatId, fileId, request, settings };
}

function requireId(context: ChannelContext, name: string, pattern: RegExp): string {
  const id = context.req.param(name);
  if (id === undefined) return "";
  if (!pattern.test(id)) throw new ChatApiError("invalid_id");
  return id;
}
