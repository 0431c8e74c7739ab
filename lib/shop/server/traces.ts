/**
 * The demo's OpenTelemetry SDK, with the standard's own variables. The chat creates its spans with
 * `@opentelemetry/api` and leaves the SDK to its host.
 */
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

/** The chat's tracer. */
const chatTracer = "shop-chat-bff";
/** Short, because Next exits as soon as its last connection is closed, even with unsent spans. */
const sendInterval = 1_000;
/** An unreachable collector must not keep the process running. */
const sendTime = 1_000;

/** Next's own spans contain complete URLs with chat IDs and search terms, so they are not exported. */
export function chatSpansOnly(processor: SpanProcessor): SpanProcessor {
  return {
    onStart: (span, parent) => processor.onStart(span, parent),
    onEnd(span) {
      if (span.instrumentationScope.name === chatTracer) processor.onEnd(span);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}

/** Starts the SDK if a collector is named. The returned function sends the last spans. */
export function startTraces(environment: Readonly<Record<string, string | undefined>>): () => Promise<void> {
  const collector =
    environment["OTEL_EXPORTER_OTLP_ENDPOINT"] || environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
  if (!collector || environment["OTEL_SDK_DISABLED"] === "true") return async () => undefined;
  const exporter = new OTLPTraceExporter({ timeoutMillis: sendTime });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": chatTracer }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [chatSpansOnly(new BatchSpanProcessor({ exporter, scheduledDelayMillis: sendInterval }))],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown().catch((error: Error) => process.emitWarning(error));
}
