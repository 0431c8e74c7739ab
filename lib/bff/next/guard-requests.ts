/**
 * Checks the chat's requests, and with `coversPages` all others, before Next parses them: what neither a
 * proxy nor Next's own settings can do (docs/decisions/024-requests-are-checked-before-next.md has what each
 * check stops).
 */
import { subscribe } from "node:diagnostics_channel";
import { type IncomingMessage, type RequestListener, Server, type ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";
import { ChatApiError } from "../../chat-api/errors.ts";
import { decodedUri, parsedUrl } from "../../chat-api/text.ts";
import { isLoopback } from "../configuration/env.ts";
import { bffLimits } from "../configuration/limits.ts";
import {
  hasTooManyParameters,
  isNormalized,
  notAPath,
  pathOf,
  tooManyParameters,
} from "../http/addresses.ts";
import { observed } from "../http/observed.ts";
import type { NodeHandler } from "../node/node-handler.ts";
import { guardCutRequests, type WebServer } from "../node/node-handler.ts";
import { dropStalledReader, writeResponse } from "../node/write-response.ts";
import type { Observe } from "../observability/observe.ts";

export interface GuardOptions {
  observe: Observe;
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
  guardCutRequests(server);
  const listeners = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    const isChat = isForChat(options, request);
    const direct = isChat ? options.direct?.() : undefined;
    if (direct === undefined && (isChat || options.coversPages)) dropStalledReader(response);
    const refusal = isChat || options.coversPages ? refusalOf(isChat, request) : undefined;
    if (refusal !== undefined) return void refuse(options.observe, refusal, request, response);
    if (direct !== undefined) {
      direct(request, response);
      return;
    }
    const own = isChat ? undefined : ownAddress(options, request);
    if (own !== undefined)
      return void response.writeHead(307, { Location: own, "Cache-Control": "no-store" }).end();
    if (isChat) hideNextHeaders(request);
    if (isChat && options.trailingSlash) request.url = request.url?.replace(withoutSlash, "$&/");
    if (isChat || options.coversPages) cutUserAgent(request);
    for (const listener of listeners) listener.call(server, request, response);
  });
  guardUpgrades(options, server);
}

/** Answers a request that must not reach Next, with an ID, the chat's headers and a log line. */
async function refuse(
  observe: Observe,
  refusal: ChatApiError,
  { method = "" }: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = new Request("http://localhost");
  const response = await observed(observe, "beforeNext", request, async ({ note, setHeader }) => {
    note({ method });
    if (refusal.code === "method_not_allowed") setHeader("Allow", knownMethods.join(", "));
    throw refusal;
  });
  await writeResponse(response, outgoing);
}

/** All methods but TRACE and CONNECT, from which no platform `Request` can be created. */
export const knownMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

function refusalOf(
  isChat: boolean,
  { method = "", url = "", headers }: IncomingMessage,
): ChatApiError | undefined {
  if (isChat && !knownMethods.some((known) => known === method))
    return new ChatApiError("method_not_allowed");
  if (isChat ? !isNormalized(url) : !url.startsWith("/")) return notAPath();
  if (hasTooManyParameters(url.slice(pathOf(url).length))) return tooManyParameters();
  if ((headers.cookie ?? "").split(";").length > bffLimits.cookies)
    return new ChatApiError("invalid_request", { message: "The request has too many cookies." });
  return isChat && decodedUri(pathOf(url)) === undefined ? new ChatApiError("invalid_id") : undefined;
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
 * Checks upgrade requests as others, because Next parses them too. The chat ignores `Upgrade`, as it may
 * (RFC 9110, section 7.8). Connections that stay without an answer are closed: Next leaves a request to an
 * unknown path to other listeners, and no timeout of Node's applies to it.
 */
function guardUpgrades(options: GuardOptions, server: WebServer): void {
  type Listener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  const listeners = server.listeners("upgrade") as Listener[];
  // Without a listener Node treats upgrade requests as normal ones.
  if (listeners.length === 0) return;
  server.removeAllListeners("upgrade");
  // Node calls this function from version 24.9 on.
  Object.assign(server, {
    shouldUpgradeCallback: (request: IncomingMessage) => !isForChat(options, request),
  });
  server.on("upgrade", (request, socket: Duplex & { bytesWritten?: number }, head) => {
    // From here on Node handles no errors of the socket, and an unhandled one would end the process.
    socket.on("error", () => socket.destroy());
    const isChat = isForChat(options, request);
    if (isChat || (options.coversPages && refusalOf(false, request) !== undefined)) {
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

/** Long values of in-app browsers are cut and not refused. */
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
