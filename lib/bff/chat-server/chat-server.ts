/** The chat server: the object that a host creates and mounts in its framework. */

import { defaultBasePath } from "../../chat-api/base-path.ts";
import { ChatApiError } from "../../chat-api/errors.ts";
import type { CustomerChats } from "../chats/customer-chats.ts";
import { configurationWarnings, type Environment } from "../configuration/env.ts";
import type { OnFeedback } from "../feedback/feedback.ts";
import type { Bff } from "../http/bff-parts.ts";
import { type Observer, observed, unboundObserver } from "../http/observed.ts";
import type { ReceivedContext, RequestContext } from "../http/request-context.ts";
import { jsonResponse } from "../http/responses.ts";
import type { CallCounts } from "../limits/call-counts.ts";
import { type LogDestination, observeInto } from "../observability/log.ts";
import { type Observe, observeAll } from "../observability/observe.ts";
import type { AdmitGuest, CustomerOf, GuestChats } from "../session/customer.ts";
import { createBff, type ServerLimits } from "./bff.ts";
import { respond } from "./endpoints.ts";
import { loadConfiguration } from "./load-configuration.ts";

export interface ChatServerOptions {
  /**
   * Returns the customer who is signed in to the host. Called on each request whose route needs the caller.
   * Without it, every caller is a guest.
   */
  customerOf?: CustomerOf;
  /**
   * Decides whether a new guest may chat, for example by the result of a bot check. Without it, every new
   * guest within the limits may.
   */
  admitGuest?: AdmitGuest;
  /**
   * `follow`: a customer who signs in keeps the chats that this browser's guest had, on this browser, for a
   * week at most, or until a guest opens the chat after sign-out. Not for browsers that several people share.
   * Default: `leave`.
   */
  guestChats?: GuestChats;
  /**
   * Keeps which chats a customer has: with it, customers who are signed in find their chats on every device.
   * Without it, each browser knows those that it has shown.
   */
  chats?: CustomerChats;
  /**
   * Stores what customers think of the agent's answers (`up`, `down`) and of a closed chat (`rating`). Only
   * with it the chat shows the buttons for that.
   */
  onFeedback?: OnFeedback;
  /** The path at which the host mounts the chat server. Pass the same path to the widget (`api`). */
  basePath?: string;
  /** Settings by the names of their environment variables (`CHAT_BASE_URL`, …), which they override. */
  configuration?: Environment;
  limits?: Partial<ServerLimits>;
  /**
   * Where several processes count calls together. Default: Redis with `REDIS_URL`, else each process counts
   * for itself.
   */
  counts?: CallCounts;
  /**
   * Receives the log, one line of JSON with its line break at a time: a function, or an object with such a
   * function `write`, such as a stream. Default: standard output, or nothing if `observe` is set.
   */
  log?: LogDestination["write"] | LogDestination;
  /**
   * Told of each request, each request to the Chat API, each turn stream and each event of the log, for a
   * log, metrics or traces of the host's own.
   */
  observe?: Observe;
}

export interface ChatServer {
  readonly basePath: string;
  /** Answers a request below the base path. Never rejects. */
  handle(request: Request, context?: RequestContext): Promise<Response>;
  /**
   * Logs problems and warnings about the configuration and checks the Chat API. Without this call, the first
   * request logs the problems; the checks are left out. Never rejects: without a usable configuration the
   * chat answers `chat_unavailable`.
   */
  start(): Promise<void>;
  /**
   * Refuses new requests, lets open replies finish for a few seconds, and closes the connections to the Chat
   * API and Redis.
   */
  stop(): Promise<void>;
}

interface Program {
  observer: Observer;
  /** Undefined without a usable configuration. */
  bff: Bff | undefined;
}

const pathPattern = /^(?:\/[\w.~-]+)+$/;

export function createChatServer({ log, ...options }: ChatServerOptions = {}): ChatServer {
  const destination = log === undefined ? undefined : destinationOf(log);
  const { guestChats = "leave" } = options;
  if (guestChats !== "leave" && guestChats !== "follow")
    throw new TypeError('guestChats must be "leave" or "follow"');
  return chatServerOf(options.basePath ?? defaultBasePath, () => open(options, destination));
}

/** Checks the log, because the host may be untyped: pino would end the process at the first line. */
function destinationOf(log: NonNullable<ChatServerOptions["log"]>): LogDestination {
  if (typeof log === "function") return { write: log };
  if (typeof (log as Partial<LogDestination> | null)?.write === "function") return log;
  throw new TypeError("log must be a function that receives a line, or an object with such a `write`");
}

/** Creates a chat server from the parts that `make` returns. Tests pass their own parts. */
export function chatServerOf(basePath: string, make: () => Program): ChatServer {
  if (!pathPattern.test(basePath)) {
    throw new TypeError(`basePath must be a path such as ${defaultBasePath}, without a slash at its end`);
  }
  // Created on first use, because a host may be built or tested without a configuration.
  let current: Program | undefined;
  const program = () => {
    current ??= make();
    return current;
  };
  let starting: Promise<void> | undefined;

  async function begin({ log, config, readiness }: Bff): Promise<void> {
    for (const { variable, remedy } of configurationWarnings(config))
      log.warn({ event: "configuration_warning", variable }, `${variable} ${remedy}`);
    readiness.check().then(
      (ready) => log.info({ event: "started", ready, origin: config.appOrigin }),
      (err: unknown) => log.error({ event: "unexpected_error", err }),
    );
  }

  return {
    basePath,
    async handle(request, context: ReceivedContext = {}) {
      const { bff, observer } = program();
      return bff === undefined
        ? respondUnavailable(observer, basePath, request)
        : respond(bff, basePath, request, context);
    },
    start() {
      const { bff } = program();
      starting ??= bff === undefined ? Promise.resolve() : begin(bff);
      return starting;
    },
    async stop() {
      const bff = current?.bff;
      if (bff === undefined) return;
      bff.log.info({ event: "stopping", openStreams: bff.streams.size() });
      try {
        await bff.stop();
        bff.log.info({ event: "stopped" });
      } catch (err) {
        bff.log.error({ event: "unexpected_error", err });
      }
    },
  };
}

function open(
  { configuration, ...options }: Omit<ChatServerOptions, "log">,
  destination: LogDestination | undefined,
): Program {
  const { basePath = defaultBasePath, observe } = options;
  const written = destination ?? (observe && { write: () => undefined });
  const { config, problems, log } = loadConfiguration(configuration, { basePath, destination: written });
  if (config !== undefined) {
    const bff = createBff(config, { ...options, log });
    return { bff, observer: bff };
  }
  const observer = unboundObserver(observeAll([observeInto(log), observe]));
  for (const { variable, remedy } of problems)
    observer.log.error(
      { event: "configuration_problem", variable },
      `The chat is not available: ${variable} ${remedy}`,
    );
  return { bff: undefined, observer };
}

/**
 * Answers `chat_unavailable`, except to the liveness check: the host's process is alive, and only its
 * operator can fix the configuration.
 */
function respondUnavailable(observer: Observer, basePath: string, request: Request): Promise<Response> {
  const isLive = new URL(request.url).pathname === `${basePath}/health/live`;
  return observed(observer, "notConfigured", request, async ({ note }) => {
    if (isLive) return jsonResponse(200, { status: "live" });
    note({ reason: "configuration" });
    throw new ChatApiError("chat_unavailable", { retryAfterSeconds: unavailableSeconds });
  });
}

const unavailableSeconds = 60;
