/**
 * OpenTelemetry traces: one span per request and one per call to the Chat API inside it. Spans do nothing
 * unless the host has registered an SDK. They contain routes, statuses and our request IDs: no text, no URL
 * with an ID, no key. The Chat API receives no trace context.
 */
import { loadOptional } from "../configuration/optional-package.ts";

const tracerName = "shop-chat-bff";

export interface TracedSpan {
  setAttribute(name: string, value: string | number): unknown;
}

/** Used if the package is not installed. */
const noSpan: TracedSpan = { setAttribute: () => undefined };

/** Resolved once, at the first request. */
let loaded: { api: ReturnType<typeof loadOptional<"@opentelemetry/api">> } | undefined;

function openTelemetry() {
  loaded ??= { api: loadOptional("@opentelemetry/api") };
  return loaded.api;
}

export interface TracedWork {
  name: string;
  attributes?: Readonly<Record<string, string>>;
  /** True if the span starts a trace, also inside one of Next's spans, which a host may not export. */
  root?: boolean;
}

/** False if the host has registered no SDK. Then spans cost nothing. */
function isTraced({ trace, ProxyTracerProvider }: NonNullable<ReturnType<typeof openTelemetry>>): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider && provider.getDelegateTracer(tracerName) === undefined);
}

/** Runs a function inside a span that ends with it. */
export function traced<T>(
  { name, attributes = {}, root = false }: TracedWork,
  run: (span: TracedSpan) => Promise<T>,
): Promise<T> {
  const api = openTelemetry();
  if (api === undefined || !isTraced(api)) return run(noSpan);
  const { trace, SpanStatusCode } = api;
  return trace.getTracer(tracerName).startActiveSpan(name, { attributes, root }, async (span) => {
    try {
      return await run(span);
    } catch (error) {
      // The name only: messages may quote what a customer wrote.
      span.setStatus({
        code: SpanStatusCode.ERROR,
        message: error instanceof Error ? error.name : "unknown",
      });
      throw error;
    } finally {
      span.end();
    }
  });
}
