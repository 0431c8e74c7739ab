/** The chat server: the object that a host creates and mounts in its framework. */

import { defaultBasePath } from "../../chat-api/base-path.ts";
import { ChatApiError } from "../../chat-api/errors.ts";
import { configurationWarnings } from "../configuration/env.ts";
import { type Bff, createBff } from "../http/bff.ts";
import { observed } from "../http/observed.ts";
import type { ChatServerOptions, ReceivedContext, RequestContext } from "../http/options.ts";
import { jsonResponse } from "../http/responses.ts";
import { type LogDestination, observeInto } from "../observability/log.ts";
import { loggerOf, type Observe, observeAll } from "../observability/observe.ts";
import { respond } from "./endpoints.ts";
import { loadConfiguration } from "./load-configuration.ts";

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
  observe: Observe;
  /** Undefined without a usable configuration. */
  bff: Bff | undefined;
}

export const basePathPattern = /^(?:\/[\w.~-]+)+$/;

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
  if (!basePathPattern.test(basePath)) {
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
      const { bff, observe } = program();
      return bff === undefined
        ? respondUnavailable(observe, basePath, request)
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
  const { basePath = defaultBasePath } = options;
  const written = destination ?? (options.observe && { write: () => undefined });
  const { config, problems, log } = loadConfiguration(configuration, { basePath, destination: written });
  if (config !== undefined) {
    const bff = createBff(config, { ...options, log });
    return { bff, observe: bff.observe };
  }
  const observe = observeAll([observeInto(log), options.observe]);
  for (const { variable, remedy } of problems)
    loggerOf(observe).error(
      { event: "configuration_problem", variable },
      `The chat is not available: ${variable} ${remedy}`,
    );
  return { bff: undefined, observe };
}

/**
 * Answers `chat_unavailable`, except to the liveness check: the host's process is alive, and only its
 * operator can fix the configuration.
 */
function respondUnavailable(observe: Observe, basePath: string, request: Request): Promise<Response> {
  const isLive = new URL(request.url).pathname === `${basePath}/health/live`;
  return observed(observe, "notConfigured", request, async ({ note }) => {
    if (isLive) return jsonResponse(200, { status: "live" });
    note({ reason: "configuration" });
    throw new ChatApiError("chat_unavailable", { retryAfterSeconds: unavailableSeconds });
  });
}

const unavailableSeconds = 60;
