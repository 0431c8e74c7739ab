/**
 * The OpenTelemetry SDK. The standard's variables decide where traces go and what they say of the process
 * (`OTEL_EXPORTER_OTLP_*`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`). Loaded only where traces are wanted.
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

/** Next ends a process as soon as its last connection is closed, whatever has not been sent by then. */
const sendInterval = 1_000;

/** Next's own spans name whole addresses: chats' IDs, and what a customer has searched for. They are not sent. */
export function onlyOf(tracerName: string, processor: SpanProcessor): SpanProcessor {
  return {
    onStart: (span, parent) => processor.onStart(span, parent),
    onEnd(span) {
      if (span.instrumentationScope.name === tracerName) processor.onEnd(span);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}

/** @param tracerName The one whose spans are sent. */
export function startSdk(tracerName: string): () => Promise<void> {
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "shop-chat-bff" }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      onlyOf(
        tracerName,
        new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: sendInterval }),
      ),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}
