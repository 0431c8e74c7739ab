/**
 * The chat server under Next: one catch-all route file, `app/api/chat/[[...path]]/route.ts`, and in
 * `instrumentation.ts` the checks that must run before Next parses a request.
 */
import "server-only";
import { defaultBasePath } from "../chat-api/base-path.ts";
import type { ChatServer } from "./chat-server/chat-server.ts";
import { loadConfiguration } from "./chat-server/load-configuration.ts";
import { type Environment, isBuilding, isDevelopment } from "./configuration/env.ts";
import type { ReceivedContext } from "./http/options.ts";
import { guardServers, knownMethods } from "./next/guard-requests.ts";
import { peer, watchPeers } from "./next/peer.ts";
import { type NodeHandler, toNodeHandler } from "./node/node-handler.ts";
import { logConsole, observeInto } from "./observability/log.ts";

/** A handler for every method, because Next answers missing ones itself, without our headers. */
export type NextHandlers = Readonly<
  Record<(typeof knownMethods)[number], (request: Request) => Promise<Response>>
>;

/**
 * Kept on `globalThis`, because Next loads separate module instances for its instrumentation and its routes.
 */
const key = Symbol.for("shop-chat.server");
const shared: typeof globalThis & { [key]?: Map<string, Loaded> } = globalThis;
/** The chat servers of this process by base path. */
const servers = shared[key] ?? new Map<string, Loaded>();
shared[key] = servers;

interface Loaded {
  chat: ChatServer;
  /** The Node handler from the route's module instance. */
  direct: NodeHandler;
}

/**
 * The exports of the route file. Where the platform ends calls early, the file also exports `maxDuration`, a
 * number, because Next reads it from the source: a reply may be streamed for 15 minutes, and the page
 * continues one that was cut.
 */
export function toNextHandler(chat: ChatServer): NextHandlers {
  // Next loads its routes when it starts, but also while it builds, when nothing must start.
  if (!isBuilding()) {
    servers.set(chat.basePath, { chat, direct: toNodeHandler(chat) });
    void chat.start();
  }
  const handler = async (request: Request) => {
    const url = new URL(request.url);
    url.pathname = askedPath(chat, url);
    const { incoming, peerAddress } = peer() ?? {};
    // If the host has read a copy of the request, Node's has no body left.
    const arrived = incoming?.readableDidRead === false ? { incoming } : {};
    const context: ReceivedContext = { ...arrived, peerAddress, url, dropsEncoding: true };
    return chat.handle(request, context);
  };
  // One entry for each method.
  return Object.fromEntries(knownMethods.map((method) => [method, handler])) as NextHandlers;
}

/**
 * The path that the browser has asked for: Next takes the `basePath` of its configuration away, and with
 * `trailingSlash` it adds a slash.
 */
function askedPath({ basePath }: ChatServer, { pathname }: URL): string {
  const path = pathname.replace(/\/$/, "");
  const segments = basePath.split("/");
  for (let taken = 1; taken < segments.length; taken += 1) {
    const rest = `/${segments.slice(taken).join("/")}`;
    if (path.startsWith(`${rest}/`)) return basePath + path.slice(rest.length);
  }
  return path;
}

export interface NextServerOptions {
  /** The options given to `createChatServer`. */
  basePath?: string;
  /** The setting of Next's configuration, which would redirect the chat's requests: the chat follows none. */
  trailingSlash?: boolean;
  configuration?: Environment;
  /**
   * Answers the chat's requests with `toNodeHandler` on Next's server, without Next's own handling.
   * `customerOf` must then identify the caller by its request alone, because `cookies()` and `headers()` of
   * `next/headers` work only inside Next. Has no effect under `next dev`.
   */
  direct?: boolean;
  /**
   * Also protects the app's own pages, whose requests share the chat's thread: limits their parameters,
   * cookies and `User-Agent` like the chat's, disconnects readers that stall, redirects pages opened at
   * another loopback address to `APP_ORIGIN`, and sends the console output of Next and the app to the chat's
   * log.
   */
  coversPages?: boolean;
}

/**
 * Call it in `register` of `instrumentation.ts`. Gives the chat's limits the address of each connection,
 * which Next does not expose, and rejects requests to the chat that Next would parse slowly or answer without
 * the chat's headers. Leaves the app's own pages and actions alone unless `coversPages` is set.
 */
export function protectNextServer({
  basePath = defaultBasePath,
  configuration,
  direct = false,
  coversPages = false,
  trailingSlash = false,
}: NextServerOptions = {}): void {
  const { config, log } = loadConfiguration(configuration, { basePath });
  guardServers({
    basePath,
    observe: observeInto(log),
    coversPages,
    trailingSlash,
    appOrigin: config?.appOrigin,
    ...(direct && !isDevelopment() ? { direct: () => servers.get(basePath)?.direct } : {}),
  });
  watchPeers();
  // In development, Next's console output stays as it is for the developer.
  if (coversPages && !isDevelopment()) logConsole(log);
}

/** Stops the chats that the route files serve, in any module instance. */
export async function stopNextChat(): Promise<void> {
  await Promise.all([...servers.values()].map(({ chat }) => chat.stop()));
}
