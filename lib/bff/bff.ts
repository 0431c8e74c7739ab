/** The BFF, put together: everything that the routes use, made once for a process (or a test) from its configuration. */
import "server-only";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { RetryPolicy } from "#lib/chat-client/retry-policy.ts";
import { createRetryPolicy } from "#lib/chat-client/retry-policy.ts";
import { sleep as realSleep, type Sleep } from "#lib/chat-client/sleep.ts";
import type { Config } from "./env.ts";
import { createPageStarts, type PageStarts } from "./history/page-starts.ts";
import { bffLimits } from "./limits.ts";
import { createLog, type Logger, secretsOf } from "./log.ts";
import { createMetrics, type Metrics, noMetrics } from "./metrics.ts";
import { createOwnership, type Ownership } from "./ownership.ts";
import { createPlaces, type Places } from "./places.ts";
import { createRateLimits, type RateLimits, type RateLimitTable } from "./rate-limits.ts";
import { createStreams, type Streams } from "./relay/streams.ts";
import { createSessions, type Sessions } from "./session.ts";
import { createCircuit } from "./upstream/circuit.ts";
import { createOperatorFaults, type OperatorFaults } from "./upstream/operator-faults.ts";
import { createReadiness, type Readiness } from "./upstream/readiness.ts";
import { createUpstream, type Upstream } from "./upstream/upstream.ts";
import { createDispatcher, createUpstreamFetch } from "./upstream/upstream-fetch.ts";

export interface Bff {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly sessions: Sessions;
  readonly ownership: Ownership;
  readonly pageStarts: PageStarts;
  readonly rateLimits: RateLimits;
  readonly streams: Streams;
  readonly uploadPlaces: Places;
  readonly upstream: Upstream;
  readonly readiness: Readiness;
  /** Takes no more requests, lets open streams end, frees every connection. */
  stop(): Promise<void>;
}

/** What tests set. */
export interface BffOptions {
  log?: Logger;
  clock?: () => number;
  rateLimitTable?: RateLimitTable;
  /** How repetitions wait. */
  sleep?: Sleep;
}

/** About as long as an upload takes. */
const uploadRetrySeconds = 2;

export function createBff(config: Config, options: BffOptions = {}): Bff {
  const sleep = options.sleep ?? realSleep;
  const log = options.log ?? createLog({ level: config.logLevel, secrets: secretsOf(config) });
  const streams = createStreams();
  const metrics = config.metricsToken === undefined ? noMetrics : createMetrics(() => streams.size);
  const faults = createOperatorFaults(log, options.clock);
  const rateLimits = createRateLimits({ config, log, table: options.rateLimitTable });
  const dispatcher = createDispatcher();
  const upstream = createUpstream({
    config,
    log,
    faults,
    fetch: createUpstreamFetch(dispatcher),
    sleep,
    retry: createCircuit({ policy: observedPolicy(createRetryPolicy(), metrics, faults), sleep }),
  });
  return {
    config,
    log,
    metrics,
    sessions: createSessions(config, options.clock),
    ownership: createOwnership((chatId, note) => upstream.client(note).getChat(chatId)),
    pageStarts: createPageStarts(),
    rateLimits,
    streams,
    uploadPlaces: createPlaces({
      count: bffLimits.concurrentUploads,
      perHolder: bffLimits.uploadsPerSession,
      retryAfterSeconds: uploadRetrySeconds,
    }),
    upstream,
    readiness: createReadiness(upstream, log, options.clock),
    async stop() {
      await streams.drain();
      await rateLimits.close();
      await dispatcher.destroy();
    },
  };
}

function observedPolicy(policy: RetryPolicy, metrics: Metrics, faults: OperatorFaults): RetryPolicy {
  return {
    ...policy,
    observe(attempt, error) {
      metrics.countUpstream(
        attempt.operation,
        error === undefined ? "ok" : "code" in error ? error.code : error.fault,
      );
      // An answer about a chat or a request is an answer to a shop that is served.
      if (error === undefined || (error instanceof ChatApiError && error.rule.relay === "pass"))
        faults.clear();
    },
  };
}
