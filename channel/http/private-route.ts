/**
 * The routes of the team and the lab, which are not part of the Chat API. They serve programs with the team
 * key, never browsers, and answer errors in the Chat API's format.
 */
import type { z } from "zod";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { parseJsonObject, parseRequest } from "#lib/chat-api/parse-request.ts";
import { chatIdPattern } from "#lib/chat-api/patterns.ts";
import type { ChannelApp, ChannelContext } from "./app.ts";
import type { Credential } from "./credentials.ts";
import { readBytes, requireJsonType } from "./request-body.ts";
import { json } from "./responses.ts";

export interface PrivateDeps {
  app: ChannelApp;
  channelKey: string;
  teamKey: Credential;
  /** An extra check that runs before all others. */
  guard?: (context: ChannelContext) => void;
}

export interface PrivateCall<Body> {
  body: Body;
  /** `chatId` is well-formed; empty if the path has none. */
  ref: { channelKey: string; chatId: string };
  request: Request;
  parameters: URLSearchParams;
  context: ChannelContext;
}

/** A handler's result: a body to answer with 200, nothing for 204, or a whole response. */
type Handled = Promise<unknown>;

/** Functions that mount routes: `get` and `delete` without a body, `post` and `put` with a JSON body. */
export function privateRoutes(deps: PrivateDeps) {
  const reading =
    (method: "GET" | "DELETE") => (path: string, handle: (call: PrivateCall<undefined>) => Handled) =>
      deps.app.on(method, path, async (context, next) => {
        // Hono answers HEAD with the GET handler.
        if (context.req.raw.method !== method) return next();
        admit(deps, context);
        return respond(await handle(callOf(deps, context, undefined)));
      });
  /** Unknown properties are refused. */
  const writing =
    (method: "POST" | "PUT") =>
    <S extends z.ZodType>(
      path: string,
      schema: S,
      handle: (call: PrivateCall<z.output<S>>) => Handled,
      maxBodyBytes: number = limits.jsonBodyBytes,
    ) =>
      deps.app.on(method, path, async (context) => {
        admit(deps, context);
        const { raw } = context.req;
        const bytes = await readBytes(raw, maxBodyBytes);
        // Actions without options need no body, and then no type.
        if (bytes.byteLength > 0) requireJsonType(raw.headers);
        const body = bytes.byteLength === 0 ? {} : parseJsonObject(bytes);
        return respond(await handle(callOf(deps, context, parseRequest(schema, body))));
      });
  return { get: reading("GET"), delete: reading("DELETE"), post: writing("POST"), put: writing("PUT") };
}

function respond(handled: unknown): Response {
  if (handled instanceof Response) return handled;
  return handled === undefined ? new Response(null, { status: 204 }) : json(200, handled);
}

function admit(deps: PrivateDeps, context: ChannelContext): void {
  const { headers } = context.req.raw;
  deps.guard?.(context);
  if (headers.has("origin")) throw new ChatApiError("origin_not_allowed");
  deps.teamKey.require(headers.get("authorization"), "The team and the lab need the team key (tk_…).");
}

function callOf<Body>(deps: PrivateDeps, context: ChannelContext, body: Body): PrivateCall<Body> {
  const chatId = context.req.param("chatId") ?? "";
  if (chatId !== "" && !chatIdPattern.test(chatId)) throw new ChatApiError("invalid_id");
  if (chatId !== "") context.set("chatId", chatId);
  const request = context.req.raw;
  return {
    body,
    ref: { channelKey: deps.channelKey, chatId },
    request,
    parameters: new URL(request.url).searchParams,
    context,
  };
}
