/**
 * The OpenTelemetry SDK. Its standard variables say where traces go and how they describe the process
 * (`OTEL_EXPORTER_OTLP_*`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`). This module is loaded only if
 * traces are enabled.
 */
import type { SpanProcessor } from "@opentelemetry/sdk-trace";
import { requireOptional } from "../configuration/optional-package.ts";

/** Short, because Next exits as soon as its last connection is closed, even with unsent spans. */
const sendInterval = 1_000;

/** Next's own spans contain complete URLs with chat IDs and search terms, so they are not exported. */
export function exportOnly(tracerName: string, processor: SpanProcessor): SpanProcessor {
  return {
    onStart: (span, parent) => processor.onStart(span, parent),
    onEnd(span) {
      if (span.instrumentationScope.name === tracerName) processor.onEnd(span);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}

/** @param tracerName The tracer whose spans are exported. */
export function startSdk(tracerName: string): () => Promise<void> {
  const { context, trace } = requireOptional("@opentelemetry/api");
  const { AsyncLocalStorageContextManager } = requireOptional("@opentelemetry/context-async-hooks");
  const { OTLPTraceExporter } = requireOptional("@opentelemetry/exporter-trace-otlp-http");
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    requireOptional("@opentelemetry/resources");
  const { BatchSpanProcessor, TracerProvider } = requireOptional("@opentelemetry/sdk-trace");
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "shop-chat-bff" }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      exportOnly(
        tracerName,
        new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: sendInterval }),
      ),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}
