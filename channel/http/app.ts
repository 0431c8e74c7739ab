/**
 * The HTTP application that every request passes. `api/route.ts` holds the order of the operations' checks.
 */
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { type OperationName, operations } from "#lib/chat-api/operations.ts";
import { newId } from "../ids.ts";
import type { ReportError } from "../report-error.ts";
import type { RateState } from "../settings/rate-limit.ts";
import { recordExchange, withoutKeys } from "./exchange.ts";
import type { LogRequest } from "./log.ts";
import { asChatApiError, errorResponse, setCommonHeaders } from "./responses.ts";

export interface ChannelEnv {
  /** The connection, if the request came over one. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** Set as soon as they are known, for the log and for error responses. */
    operation?: OperationName;
    chatId?: string;
    rate?: RateState;
    errorCode?: string;
    /** The JSON body, once it was read; of an upload, a word about it. */
    requestBody?: Uint8Array | string;
    /** The response repeats an earlier request's result. */
    isReplay?: boolean;
    /** The kind of the lab's fault that the request meets. */
    fault?: string;
  };
}

export type ChannelApp = Hono<ChannelEnv>;
export type ChannelContext = Context<ChannelEnv>;

export const channelPath = "/v1/channels/:channelKey";

/** Creates an app that sets request IDs, turns errors into responses and logs one line per request. */
export function createApp(deps: {
  report: ReportError;
  logRequest: LogRequest;
  /** Whether the log's records include requests and responses as they were sent. */
  recordsExchanges?: boolean;
  isStopping?: () => boolean;
}): ChannelApp {
  const app: ChannelApp = new Hono({ strict: true, getPath: sentPath });

  app.use("*", async (context, next) => {
    const startedAt = performance.now();
    const requestId = newId("req");
    context.set("requestId", requestId);
    await next();
    setCommonHeaders(context.res.headers, requestId);
    // Makes the client open a new connection, to another process or to the restarted one.
    if (deps.isStopping?.() === true) context.res.headers.set("connection", "close");
    if (isOfConsole(context)) return;
    const isRecorded = deps.recordsExchanges === true && context.req.path.startsWith("/v1/");
    deps.logRequest({
      requestId,
      method: context.req.raw.method,
      path: withoutKeys(context.req.path),
      operation: context.get("operation"),
      chatId: context.get("chatId"),
      status: context.res.status,
      errorCode: context.get("errorCode"),
      isReplay: context.get("isReplay"),
      fault: context.get("fault"),
      milliseconds: performance.now() - startedAt,
      ...(isRecorded ? { exchange: await recordExchange(context, context.get("requestBody")) } : {}),
    });
  });

  app.onError((error, context) => respondWithError(context, error, deps.report));
  app.notFound((context) => {
    const allow = allowedMethods(context.req.path);
    const error = new ChatApiError(allow === undefined ? "not_found" : "method_not_allowed");
    context.set("errorCode", error.code);
    return errorResponse(error, context.get("requestId"), allow);
  });
  return app;
}

/**
 * The path as it was sent. It is split before IDs are decoded: `%2F` is part of an ID, not a separator. A URL
 * would resolve `%2e%2e`, so that an ID of dots named another path.
 */
function sentPath(request: Request, options?: { env?: ChannelEnv["Bindings"] }): string {
  const target = options?.env?.incoming?.url ?? "";
  return target.startsWith("/") ? target.replace(/[?#].*/s, "") : new URL(request.url).pathname;
}

/**
 * Polls of an open page, and what the console asks within the process. Other requests are logged, whatever
 * their headers say.
 */
function isOfConsole({ env, req }: ChannelContext): boolean {
  const sender = req.header("x-console");
  if (sender === "live") return req.raw.method === "GET" && /^\/console(?:\/|$)/.test(req.path);
  return sender !== undefined && env.incoming === undefined;
}

function respondWithError(context: ChannelContext, error: unknown, report: ReportError): Response {
  const refusal = asChatApiError(error, context.get("operation"));
  if (!(error instanceof ChatApiError)) report(`request ${context.get("requestId")}`, error);
  context.set("errorCode", refusal.code);
  return errorResponse(refusal, context.get("requestId"));
}

const operationPaths = Object.values(operations).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^/v1/channels/[^/]+${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** The methods of a Chat API path, for `Allow`; undefined for unknown paths. */
function allowedMethods(path: string): string | undefined {
  const methods = operationPaths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return methods.length === 0 ? undefined : methods.join(", ");
}
