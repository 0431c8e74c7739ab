/**
 * OpenTelemetry traces: one span per request and one per request to the Chat API inside it. Does nothing
 * unless the host has registered an SDK. Spans contain routes, statuses and our request IDs: no text, no URL
 * with an ID, no key. The Chat API receives no trace context.
 */
import type { Span } from "@opentelemetry/api";
import { loadOptional } from "../configuration/optional-package.ts";
import type { Observe } from "./observe.ts";

const tracerName = "shop-chat-bff";

/** Resolved once, at the first request. */
let loaded: { api: ReturnType<typeof loadOptional<"@opentelemetry/api">> } | undefined;

/** The API if the host has registered an SDK. */
function openTelemetry() {
  loaded ??= { api: loadOptional("@opentelemetry/api") };
  const { api } = loaded;
  if (api === undefined) return undefined;
  const provider = api.trace.getTracerProvider();
  const isUnset =
    provider instanceof api.ProxyTracerProvider && provider.getDelegateTracer(tracerName) === undefined;
  return isUnset ? undefined : api;
}

export function createTraces(): Observe {
  /** The spans of requests that have not ended. */
  const spans = new Map<string, Span>();
  return (event) => {
    if (event.type !== "request_started" && event.type !== "upstream" && event.type !== "request") return;
    const api = openTelemetry();
    if (api === undefined) return;
    const { ROOT_CONTEXT, SpanStatusCode, trace } = api;
    const tracer = trace.getTracer(tracerName);
    if (event.type === "request_started") {
      // Starts a trace, also inside one of Next's spans, which a host may not export.
      const attributes = { "bff.request_id": event.requestId };
      spans.set(event.requestId, tracer.startSpan(`bff ${event.route}`, { attributes, root: true }));
      return;
    }
    const request = spans.get(event.requestId ?? "");
    if (event.type === "request") {
      request?.setAttribute("http.response.status_code", event.status);
      request?.end();
      spans.delete(event.requestId);
      return;
    }
    const { operation, outcome, result, milliseconds } = event;
    const span = tracer.startSpan(
      "chat-api request",
      { attributes: { operation, outcome }, startTime: Date.now() - milliseconds },
      request === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, request),
    );
    if (result === "failed") span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
    span.end();
  };
}
