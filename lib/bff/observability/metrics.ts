/**
 * Metrics for Prometheus, collected only with `METRICS_TOKEN`. Labels are fixed names, never an ID or text.
 */
import { requireOptional } from "../configuration/optional-package.ts";
import type { Observe } from "./observe.ts";

export interface Metrics {
  observe: Observe;
  /** The exposition format. */
  expose(): Promise<{ type: string; text: string }>;
}

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300];

/** @param basePath A label of each sample: a process may have several chat servers. */
export function createMetrics(basePath: string): Metrics {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } =
    requireOptional("@prometheus-io/client");
  const registry = new Registry();
  registry.setDefaultLabels({ chat: basePath });
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
  const openStreams = new Gauge({
    name: "chat_bff_open_streams",
    help: "Turn streams that are open to browsers.",
    registers,
  });
  return {
    observe(event) {
      switch (event.type) {
        case "request":
          requests.inc({ route: event.route, status: event.status });
          seconds.observe({ route: event.route }, event.milliseconds / 1000);
          break;
        case "upstream":
          upstream.inc({ operation: event.operation, outcome: event.outcome, result: event.result });
          break;
        case "stream_started":
          openStreams.inc();
          break;
        case "stream_ended":
          openStreams.dec();
          streams.inc({ outcome: event.outcome });
      }
    },
    expose: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
