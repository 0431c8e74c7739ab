import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostilePeer, ownerOfChat, sharedBff } from "../../bff/testing/hostile-set-up.ts";
import { emptyPage } from "../../bff/testing/hostile-upstream.ts";
import { chatSpansOnly } from "./traces.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);
const exporter = new InMemorySpanExporter();
beforeAll(() => {
  const spanProcessors = [chatSpansOnly(new SimpleSpanProcessor({ exporter }))];
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
});
afterAll(() => trace.disable());

test("traces a request without foreign spans, addresses, chat IDs or text", async () => {
  const browser = await ownerOfChat(t, upstream);
  upstream.respond("GET /chats/chat_0001/messages", 200, emptyPage);
  exporter.reset();
  // Next runs the handler inside a span of its own like this one.
  await trace
    .getTracer("next.js")
    .startActiveSpan("GET", { attributes: { "http.target": "/secret" } }, async (span) => {
      await browser.get("/api/chat/chats/chat_0001/messages?limit=7");
      span.end();
    });

  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name).toSorted()).toEqual([
    "bff listMessages",
    "chat-api request",
    "chat-api request",
  ]);
  const root = spans.find(({ name }) => name.startsWith("bff"));
  expect(root?.parentSpanContext).toBeUndefined();
  const told = JSON.stringify(
    spans.map(({ name, attributes, status, events }) => [name, attributes, status, events]),
  );
  expect(told).toContain('"bff.request_id":"req_');
  expect(told).not.toMatch(/chat_0001|limit|secret|maya/);
});
