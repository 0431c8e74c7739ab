/** Creates the parts that the routes use, once per chat server, from its configuration. */
import { defaultBasePath } from "../../chat-api/base-path.ts";
import type { Fetch } from "../../chat-client/client.ts";
import { createRetryPolicy, sleep as realSleep, type Sleep } from "../../chat-client/retry.ts";
import { createChatPages } from "../chats/chat-pages.ts";
import { createListedChats, createTakeFeedback } from "../chats/host.ts";
import { createOwnership } from "../chats/ownership.ts";
import type { Config } from "../configuration/env.ts";
import { bffLimits } from "../configuration/limits.ts";
import { createMemoryCounts, createRedisCounts, createSharedCounts } from "../limits/call-counts.ts";
import { createRateLimits, rateLimitTable } from "../limits/rate-limits.ts";
import { createSlots, createStreams } from "../limits/slots.ts";
import { observeInto } from "../observability/log.ts";
import { createMetrics } from "../observability/metrics.ts";
import { type Logger, loggerOf, observeAll } from "../observability/observe.ts";
import { createTraces } from "../observability/traces.ts";
import { createCallerTags } from "../session/caller-tags.ts";
import { createGuestSessions } from "../session/guest-sessions.ts";
import { createIdentity } from "../session/identity.ts";
import { withCircuit } from "../upstream/circuit.ts";
import { createOperatorErrors } from "../upstream/operator-errors.ts";
import { createReadiness } from "../upstream/readiness.ts";
import { createTransport } from "../upstream/undici-fetch.ts";
import { createUpstream } from "../upstream/upstream.ts";
import type { ChatServerOptions } from "./options.ts";
import { createAllowedPages } from "./same-origin.ts";

/** The host's options, and what tests replace. */
export interface BffOptions extends Omit<ChatServerOptions, "configuration" | "log"> {
  log: Logger;
  clock?: () => number;
  /** Waits between retries. */
  sleep?: Sleep;
  /** Sends the requests to the Chat API in place of undici. */
  fetch?: Fetch;
}

export type Bff = ReturnType<typeof createBff>;

export function createBff(config: Config, options: BffOptions) {
  const { basePath = defaultBasePath, limits = {}, sleep = realSleep, chats, onFeedback } = options;
  const streams = createStreams({
    count: limits.streams ?? config.maxStreams,
    perSession: limits.streamsPerCaller ?? bffLimits.streamsPerSession,
  });
  const metrics = config.metricsToken === undefined ? undefined : createMetrics(basePath);
  const observers = [
    streams.observe,
    observeInto(options.log),
    metrics?.observe,
    createTraces(),
    options.observe,
  ];
  const observe = observeAll(observers);
  const log = loggerOf(observe);
  const operatorErrors = createOperatorErrors(log, options.clock);
  const clock = options.clock ?? Date.now;
  const own = createMemoryCounts(clock);
  const redis =
    options.counts === undefined && config.redisUrl !== undefined
      ? createRedisCounts(config.redisUrl)
      : undefined;
  const counts = options.counts ?? redis;
  const rateLimits = createRateLimits({
    basePath,
    own,
    shared: counts === undefined ? own : createSharedCounts(counts, own, log),
    hasCustomers: options.customerOf !== undefined,
    clock,
    table: { ...rateLimitTable(limits.chatsPerDay ?? config.maxChatsPerDay), ...limits.rates },
  });
  const guests = createGuestSessions(config, { ...options, log });
  const transport = createTransport();
  const upstream = createUpstream({
    config,
    log,
    observe,
    operatorErrors,
    fetch: options.fetch ?? transport.fetch,
    sleep,
    circuit: withCircuit(createRetryPolicy()),
  });
  return {
    config,
    observe,
    log,
    /** Undefined without `METRICS_TOKEN`. */
    metrics,
    allowedPages: createAllowedPages(config, log),
    guests,
    identity: createIdentity({
      customerOf: options.customerOf,
      admitGuest: options.admitGuest,
      appOrigin: config.appOrigin,
      guests,
      log,
      clock,
    }),
    callerTags: createCallerTags(config),
    ownership: createOwnership({
      readChat: ({ chatId, scope }) => upstream.client(scope).getChat(chatId),
      sleep,
      requireOpen: streams.requireOpen,
    }),
    chatPages: createChatPages(),
    /** Undefined if the host keeps no list. */
    listedChats: chats && createListedChats(chats, log),
    /** Undefined if the host takes no feedback. */
    takeFeedback: onFeedback && createTakeFeedback(onFeedback, log),
    rateLimits,
    streams,
    uploadSlots: createSlots({
      count: limits.uploads ?? bffLimits.concurrentUploads,
      perSession: limits.uploadsPerCaller ?? bffLimits.uploadsPerSession,
    }),
    downloadSlots: createSlots({
      count: limits.downloads ?? bffLimits.concurrentDownloads,
      perSession: limits.downloadsPerCaller ?? bffLimits.downloadsPerSession,
    }),
    upstream,
    readiness: createReadiness(upstream, log, options.clock),
    /** Refuses new requests, lets streams finish, then closes the connections to the Chat API and Redis. */
    async stop() {
      await streams.drain();
      redis?.close();
      await transport.destroy();
    },
  };
}
