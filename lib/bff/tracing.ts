/**
 * OpenTelemetry traces: one span for each request and one for each answer of the Chat API's inside it. Without an
 * `OTEL_EXPORTER_OTLP_…` address no SDK is loaded, and the API's spans are nothing. Spans name routes, statuses and our
 * request IDs: no text, no address with an ID, no key. Nothing about a trace is told to the Chat API.
 */
import { type Span, SpanStatusCode, trace } from "@opentelemetry/api";

export const tracerName = "shop-chat-bff";

export interface TracedWork {
  name: string;
  attributes?: Readonly<Record<string, string>>;
  /** Begins a trace. Around it there may be spans of Next's, which are not sent (`tracing-sdk.ts`). */
  root?: boolean;
}

/** Runs inside a span that ends with it. */
export async function traced<T>(
  { name, attributes = {}, root = false }: TracedWork,
  run: (span: Span) => Promise<T>,
): Promise<T> {
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

/** Loads and starts the SDK. What is given back sends what is left and stops it. */
export async function startTracing(): Promise<() => Promise<void>> {
  const { startSdk } = await import("./tracing-sdk.ts");
  return startSdk(tracerName);
}
