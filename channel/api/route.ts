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
import type { z } from "zod";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { operationSchemas } from "#lib/chat-api/operation-schemas.ts";
import { type OperationName, operations } from "#lib/chat-api/operations.ts";
import { parseIdempotencyKey, parseJsonObject, parseRequest } from "#lib/chat-api/parse-request.ts";
import { channelKeyPattern, chatIdPattern, fileIdPattern } from "#lib/chat-api/patterns.ts";
import { type Clock, secondsUntil } from "../clock.ts";
import { type ChannelApp, type ChannelContext, channelPath } from "../http/app.ts";
import type { Credential } from "../http/credentials.ts";
import { requireJsonType } from "../http/json-body.ts";
import { readBytes } from "../http/request-body.ts";
import { setRateHeaders } from "../http/responses.ts";
import { fingerprint } from "../idempotency/fingerprint.ts";
import type { WriteRequest } from "../idempotency/ledger.ts";
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
  requestId: string;
  channelKey: string;
  /** A well-formed chat ID; empty where the path has none. */
  chatId: string;
  fileId: string;
  request: Request;
  settings: ChannelSettings;
  /** Marks a replay in the log where the status does not show it. */
  noteReplay(): void;
  /** Keeps the body for the lab's record of the request. */
  noteBody(body: Uint8Array | string): void;
}

/** A call whose JSON body matched the operation's schema, with its idempotency key. */
export interface WriteCall<Body> extends Call {
  body: Body;
  write: WriteRequest;
}

type JsonWrite = "createChat" | "sendMessage" | "submitCollection" | "handoff";
type BodyOf<Name extends JsonWrite> = z.output<(typeof operationSchemas)[Name]["body"]>;

/**
 * Mounts an operation with a JSON body. `beforeBody` runs its own checks after the size check and before
 * parsing. The fingerprint covers the body with `defaults` filled in, so that a request with a default value
 * equals one that omits the field.
 */
export function mountWrite<Name extends JsonWrite>(
  deps: RouteDeps,
  name: Name,
  handle: (call: WriteCall<BodyOf<Name>>) => Promise<Response>,
  options: { beforeBody?: (request: Request) => void; defaults?: Partial<BodyOf<Name>> } = {},
): void {
  const { method, maxBodyBytes } = operations[name];
  mount(deps, name, async (call) => {
    const { request } = call;
    requireJsonType(request.headers);
    const bytes = await readBytes(request, maxBodyBytes);
    call.noteBody(bytes);
    options.beforeBody?.(request);
    const key = parseIdempotencyKey(request.headers.get(headerNames.idempotencyKey));
    // The schema belongs to this operation, which TypeScript cannot infer from the lookup.
    const body = parseRequest(operationSchemas[name].body, parseJsonObject(bytes)) as BodyOf<Name>;
    const path = new URL(request.url).pathname;
    return handle({
      ...call,
      body,
      write: {
        channelKey: call.channelKey,
        chatId: call.chatId,
        kind: name,
        key,
        fingerprint: fingerprint(method, path, { ...options.defaults, ...body }),
      },
    });
  });
}

/** Mounts an operation whose handler reads the body, if there is one. */
export function mount(deps: RouteDeps, name: OperationName, handle: (call: Call) => Promise<Response>): void {
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
  return {
    requestId: context.get("requestId"),
    channelKey,
    chatId,
    fileId,
    request,
    settings,
    noteReplay: () => context.set("isReplay", true),
    noteBody: (body) => context.set("requestBody", body),
  };
}

function requireId(context: ChannelContext, name: string, pattern: RegExp): string {
  const id = context.req.param(name);
  if (id === undefined) return "";
  if (!pattern.test(id)) throw new ChatApiError("invalid_id");
  return id;
}
