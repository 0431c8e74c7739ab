/**
 * Metrics for Prometheus, collected only with `METRICS_TOKEN`. Labels are fixed names, never an ID or text.
 */
import { requireOptional } from "../configuration/optional-package.ts";

/** `refused`: an answer about one chat or request (`chat_closed`). `failed`: a fault or an overload. */
export type UpstreamResult = "ok" | "refused" | "failed";

export interface Metrics {
  countRequest(route: string, status: number, milliseconds: number): void;
  /** `outcome` is `ok`, an error code or a kind of failure. */
  countUpstream(operation: string, outcome: string, result: UpstreamResult): void;
  /** `outcome` is a `RelayOutcome`. */
  countStream(outcome: string): void;
  /** The exposition format; undefined if metrics are off. */
  expose(): Promise<{ type: string; text: string }> | undefined;
}

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300];

export const noMetrics: Metrics = {
  countRequest: () => undefined,
  countUpstream: () => undefined,
  countStream: () => undefined,
  expose: () => undefined,
};

export function createMetrics(openStreams: () => number): Metrics {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = requireOptional("prom-client");
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `chat_bff_${name}_total`, help, labelNames, registers });
  const requests = counter("requests", "Requests answered, by route and status.", ["route", "status"]);
  const seconds = new Histogram({
    name: "chat_bff_request_duration_seconds",
    help: "From a request's arrival to the end of its response, streams included.",
    labelNames: ["route"],
    buckets: requestSeconds,
    registers,
  });
  const upstream = counter(
    "upstream_attempts",
    "Requests sent to the Chat API, repetitions included, by operation, outcome and result (ok, refused, failed).",
    ["operation", "outcome", "result"],
  );
  const streams = counter("streams", "Turn streams that have ended, by how.", ["outcome"]);
  new Gauge({
    name: "chat_bff_open_streams",
    help: "Turn streams that are open to browsers.",
    registers,
    collect() {
      this.set(openStreams());
    },
  });
  return {
    countRequest(route, status, milliseconds) {
      requests.inc({ route, status });
      seconds.observe({ route }, milliseconds / 1000);
    },
    countUpstream: (operation, outcome, result) => upstream.inc({ operation, outcome, result }),
    countStream: (outcome) => streams.inc({ outcome }),
    expose: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
