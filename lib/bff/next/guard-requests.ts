/**
 * Checks the chat's requests, and with `coversPages` all others, before Next parses them. The time that Next
 * takes grows quadratically with the number of query parameters and cookies and with the length of the
 * `User-Agent`, and some requests fail in Next before the pipeline can answer them.
 */
import { subscribe } from "node:diagnostics_channel";
import { type IncomingMessage, type RequestListener, Server, type ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";
import { ChatApiError } from "../../chat-api/errors.ts";
import { decodedUri, parsedUrl } from "../../chat-api/text.ts";
import { isLoopback } from "../configuration/env.ts";
import { bffLimits } from "../configuration/limits.ts";
import { hasTooManyParameters, tooManyParameters } from "../http/addresses.ts";
import type { Observer } from "../http/observed.ts";
import { apiHeaders } from "../http/responses.ts";
import { guardConnections, guardCutRequests, type WebServer } from "../node/connections.ts";
import { discardBody } from "../node/discard-body.ts";
import type { NodeHandler } from "../node/node-handler.ts";
import { isKnownMethod, notAPath, pathOf, refuseEarly, targetUrl } from "../node/refuse-early.ts";
import { dropStalledReader, resetConnection, writeResponse } from "../node/write-response.ts";
import { offerTakeover } from "./next-body.ts";

export interface GuardOptions {
  observer: Observer;
  /** Answers the chat's requests in place of Next, if the host wants that and the route is loaded. */
  direct?: () => NodeHandler | undefined;
  /** The chat's base path. */
  basePath: string;
  /** See `NextServerOptions`. */
  coversPages: boolean;
  trailingSlash?: boolean;
  /** Undefined without a usable configuration. */
  appOrigin: string | undefined;
}

/**
 * Guards every HTTP server of this process from its first connection, because Next does not expose its own
 * server.
 */
export function guardServers(options: GuardOptions): void {
  const guarded = new WeakSet<WebServer>();
  subscribe("net.server.socket", (message) => {
    const { server } = (message as { socket: { server?: unknown } }).socket;
    if (!(server instanceof Server || server instanceof SecureServer) || guarded.has(server)) return;
    guarded.add(server);
    guardServer(options, server);
  });
}

export function guardServer(options: GuardOptions, server: WebServer): void {
  // A host's own routes may take long uploads; the chat's bodies have a timeout of their own
  // (`http/body.ts`).
  if (options.coversPages) guardConnections(server);
  else guardCutRequests(server);
  const listeners = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    // Next may change the request's URL.
    const isChat = isForChat(options, request);
    const direct = isChat ? options.direct?.() : undefined;
    if (direct === undefined && (isChat || options.coversPages)) guardResponse(isChat, response);
    const refusal = refusalOf(options, request);
    if (refusal !== undefined)
      return void refuseEarly(options.observer, "beforeNext", request, () => {
        throw refusal;
      }).then((refused) => writeResponse(refused, response));
    if (direct !== undefined) {
      direct(request, response);
      return;
    }
    const own = isChat ? undefined : ownAddress(options, request);
    if (own !== undefined) {
      response.writeHead(307, { Location: own, "Cache-Control": "no-store" }).end();
      return;
    }
    if (isChat) hideNextHeaders(request);
    if (isChat && options.trailingSlash) request.url = request.url?.replace(withoutSlash, "$&/");
    if (isChat || options.coversPages) cutUserAgent(request);
    for (const listener of listeners) listener.call(server, request, response);
  });
  guardUpgrades(options, server);
}

/**
 * The page's URL at `APP_ORIGIN`, if it was opened at another loopback address. Next prints such an address
 * when it starts, but the chat rejects pages of other origins. `proxy.ts` cannot redirect them, because Next
 * treats both addresses as the same.
 */
function ownAddress(
  { coversPages, appOrigin = "" }: GuardOptions,
  { url = "", headers }: IncomingMessage,
): string | undefined {
  if (!coversPages || headers["sec-fetch-mode"] !== "navigate") return undefined;
  const [opened, own] = [parsedUrl(`http://${headers.host}`), parsedUrl(appOrigin)];
  if (opened === null || own === null) return undefined;
  const isOther = opened.hostname !== own.hostname && opened.port === own.port;
  return isOther && isLoopback(opened) && isLoopback(own) ? appOrigin + url : undefined;
}

/**
 * True at the base path itself, too: Next's catch-all route answers there. Next parses the path, so a path
 * counts as the chat's before and after.
 */
function isForChat({ basePath }: GuardOptions, { url = "" }: IncomingMessage): boolean {
  const path = pathOf(url).replace(absolute, "");
  const isChat = (path = "") => path === basePath || path.startsWith(`${basePath}/`);
  return isChat(path) || isChat(parsedUrl(`http://localhost${path}`)?.pathname);
}

/** A path that Next redirects with `trailingSlash`: without a slash at its end, and not a file's. */
const withoutSlash = /^[^?]*\/[^/.?]+(?=\?|$)/;

/** The scheme and authority of an absolute target. */
const absolute = /^[a-z][\w+.-]*:\/\/[^/]*/i;

/**
 * Checks upgrade requests, because Next parses them too, and closes the connections that stay without an
 * answer: Next leaves a request to an unknown path to other listeners, and no timeout of Node's applies to
 * it.
 */
function guardUpgrades(options: GuardOptions, server: WebServer): void {
  type Listener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  const listeners = server.listeners("upgrade") as Listener[];
  // Without a listener Node treats upgrade requests as normal ones.
  if (listeners.length === 0) return;
  server.removeAllListeners("upgrade");
  // The chat ignores `Upgrade`, as a server may (RFC 9110, section 7.8), and Next's pages upgrade to nothing
  // but WebSockets. Node calls this function from version 24.9 on.
  const mayUpgrade = (request: IncomingMessage) =>
    !isForChat(options, request) &&
    (!options.coversPages || request.headers.upgrade?.toLowerCase() === "websocket");
  Object.assign(server, { shouldUpgradeCallback: mayUpgrade });
  server.on("upgrade", (request, socket: Duplex & { bytesWritten?: number }, head) => {
    // From here on Node handles no errors of the socket, and an unhandled one would end the process.
    socket.on("error", () => socket.destroy());
    if (!mayUpgrade(request) || refusalOf(options, request) !== undefined) {
      socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", () => socket.destroy());
      return;
    }
    if (options.coversPages) cutUserAgent(request);
    const { bytesWritten } = socket;
    const unanswered = setTimeout(() => {
      if (socket.bytesWritten === bytesWritten) socket.destroy();
    }, bffLimits.upgradeTime);
    socket.once("close", () => clearTimeout(unanswered));
    for (const listener of listeners) listener.call(server, request, socket, head);
  });
}

/**
 * Adds the chat's security headers to responses without them, such as Next's redirects and plain 500s, so
 * that browsers neither run nor cache them. Disconnects readers that stall, for which Next waits for ever.
 * When a chat response ends, discards a request body that nobody has read, up to a limit. Lets a turn stream
 * write to the response by itself.
 */
function guardResponse(isChat: boolean, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  const guarded = (status: number, ...more: unknown[]) => {
    dropStalledReader(response);
    if (isChat || !response.hasHeader("x-content-type-options")) {
      for (const [name, value] of Object.entries(apiHeaders)) {
        if (!response.hasHeader(name)) response.setHeader(name, value);
      }
    }
    return writeHead(status, ...more);
  };
  response.writeHead = guarded;
  if (!isChat) return;
  offerTakeover(response);
  const destroy = response.destroy.bind(response);
  const reset: typeof destroy = (error) => {
    resetConnection(response);
    return destroy(error);
  };
  response.destroy = reset;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  // Discards at the end, because a host's handler may read the body after it has begun its response.
  const endUnread = (...args: unknown[]) => {
    discardBody(response.req);
    return end(...args);
  };
  response.end = endUnread;
}

function refusalOf(options: GuardOptions, request: IncomingMessage): ChatApiError | undefined {
  const { url = "", headers } = request;
  const isChat = isForChat(options, request);
  if (!isChat && !options.coversPages) return undefined;
  // For example TRACE, or a method of WebDAV.
  if (!isKnownMethod(request)) return new ChatApiError("method_not_allowed");
  if (isChat ? targetUrl(url) === null : !url.startsWith("/")) return notAPath();
  const path = pathOf(url);
  if (hasTooManyParameters(url.slice(path.length + 1))) return tooManyParameters();
  if ((headers.cookie ?? "").split(";").length > bffLimits.cookies)
    return new ChatApiError("invalid_request", { message: "The request has too many cookies." });
  if (decodedUri(path) === undefined)
    return isChat
      ? new ChatApiError("invalid_id")
      : new ChatApiError("invalid_request", { message: "The address cannot be decoded." });
  if (isChat) return undefined;
  const routerState = headers["next-router-state-tree"];
  if (routerState !== undefined && !isRouterState(parsed(String(routerState))))
    return new ChatApiError("invalid_request", { message: "The router state cannot be read." });
  const action = headers["next-action"];
  if (action !== undefined && !actionId.test(String(action)))
    return new ChatApiError("invalid_request", { message: "There is no such server action." });
  return undefined;
}

/** The form of Next's action IDs. Next logs any other value unchanged. */
const actionId = /^[\da-f]{42}$/;

function parsed(header: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(header));
  } catch (error) {
    if (error instanceof URIError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether the value has the shape that Next's own pages send. Next answers any other with 500. */
function isRouterState(state: unknown): boolean {
  if (!Array.isArray(state) || state.length < 2 || state.length > 6) return false;
  const [segment, children] = state;
  const isSegment = typeof segment === "string" || (Array.isArray(segment) && segment.length === 4);
  if (!isSegment || typeof children !== "object" || children === null || Array.isArray(children))
    return false;
  return Object.values(children).every(isRouterState);
}

/** In-app browsers send long ones, so they are cut and not refused. */
function cutUserAgent({ headers }: IncomingMessage): void {
  const { "user-agent": userAgent } = headers;
  if (userAgent !== undefined) headers["user-agent"] = userAgent.slice(0, bffLimits.userAgentLength);
}

/**
 * Headers that control Next's pages. The chat needs none, and some make Next redirect before the pipeline
 * runs.
 */
const nextHeader = /^(?:rsc$|next-|x-nextjs-|x-middleware-|x-invoke-|x-now-|x-matched-path$)/;

function hideNextHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (nextHeader.test(name)) delete headers[name];
}
