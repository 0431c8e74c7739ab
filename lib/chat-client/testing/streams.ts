/** Turn streams as bytes, and peers that serve them with errors through an injected fetch. */

import { aTurn, chatId } from "../../chat-api/testing/builders.ts";
import { encodeTurnEvent, type TurnEvent } from "../../chat-api/turn-events.ts";
import type { ChatClientOptions, Fetch } from "../client.ts";
import type { StreamedEvent } from "../parser.ts";
import type { TurnStream } from "../turn-stream.ts";

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

type Start = Extract<TurnEvent, { type: "start" }>;

export function aStart(overrides: Partial<Start> = {}): Start {
  return {
    type: "start",
    chatId,
    requestId: "req_1",
    messageId: "message_1",
    replyId: "reply_1",
    ...overrides,
  };
}

/** A whole stream whose deltas are `parts`. */
export function aStream(parts: readonly string[]): TurnEvent[] {
  return [
    aStart(),
    ...parts.map((text): TurnEvent => ({ type: "delta", text })),
    { type: "done", item: aTurn(parts.join("")) },
  ];
}

export function encodeStream(events: readonly TurnEvent[]): Uint8Array {
  return bytesOf(events.map(encodeTurnEvent).join(""));
}

/** The events of a stream's text, without its comments. */
export function eventsOf(stream: string): TurnEvent[] {
  const blocks = stream.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm);
  return [...blocks].map(([, type, data = ""]) => ({ type, ...JSON.parse(data) }));
}

/** How a body ends: cleanly, or with the error of a lost connection. */
export type Ending = "end" | "error";

export function bodyOf(chunks: readonly Uint8Array[], ending: Ending = "end"): ReadableStream<Uint8Array> {
  const rest = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = rest.shift();
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (ending === "end") controller.close();
      else controller.error(new TypeError("terminated"));
    },
  });
}

/** The body in pieces of this length. */
export function inPieces(body: string | Buffer, length: number): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body);
  const starts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => index * length);
  return bodyOf(starts.map((at) => new Uint8Array(bytes.subarray(at, at + length))));
}

export function streamResponse(
  chunks: readonly Uint8Array[],
  { ending = "end", status = 201 }: { ending?: Ending; status?: number } = {},
): Response {
  return eventStream(bodyOf(chunks, ending), status);
}

export function eventStream(body: ReadableStream<Uint8Array> | null, status = 201): Response {
  return new Response(body, {
    status,
    headers: { "content-type": "text/event-stream; charset=utf-8", "x-request-id": "req_1" },
  });
}

export function jsonResponse(
  body: unknown,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: init.status ?? 200,
    headers: { "content-type": "application/json", "x-request-id": "req_1", ...init.headers },
  });
}

export function errorResponse(
  code: string,
  status: number,
  extra: { headers?: Record<string, string>; retryAfterSeconds?: unknown; field?: string } = {},
): Response {
  const { headers, ...fields } = extra;
  return jsonResponse(
    { error: { code, message: "as the peer words it", requestId: "req_1", ...fields } },
    { status, ...(headers === undefined ? {} : { headers }) },
  );
}

export interface SentRequest {
  address: string;
  init: RequestInit;
  headers: Headers;
}

/** A fetch that returns these responses in order (functions may throw) and rejects after the last. */
export function scriptedFetch(responses: readonly (() => Response | Promise<Response>)[]) {
  const requests: SentRequest[] = [];
  const fetch: Fetch = async (address, init) => {
    const respond = responses[requests.length];
    requests.push({ address, init, headers: new Headers(init.headers) });
    if (respond === undefined) throw new Error(`unexpected request ${requests.length}`);
    return respond();
  };
  return { fetch, requests };
}

/** Rejects only when its signal aborts. `onSent` runs once it listens to the signal. */
export const silence =
  (onSent: () => void = () => undefined): Fetch =>
  (_address, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      onSent();
    });

/** Options whose waits take no time, are recorded and advance the clock. */
export function testOptions(overrides: Partial<ChatClientOptions> = {}) {
  const waits: number[] = [];
  const clock = { time: 0 };
  const options: ChatClientOptions = {
    url: (operation) => `https://chat.test/v1/${operation}`,
    headers: () => ({ authorization: "Bearer ck_test" }),
    random: () => 0.5,
    now: () => clock.time,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      clock.time += milliseconds;
    },
    ...overrides,
  };
  return { options, waits, clock };
}

/** Every event of the stream. */
export async function collect(stream: TurnStream): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  await stream.read((event) => events.push(event));
  return events;
}

/** The text that a reader shows in the end: each `start` resets it. */
export function textOf(events: readonly TurnEvent[]): string {
  let text = "";
  for (const event of events) {
    if (event.type === "start") text = "";
    if (event.type === "delta") text += event.text;
  }
  return text;
}

/** A signal and the number of its listeners. */
export function countedSignal() {
  const { signal } = new AbortController();
  const registered = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...input: Parameters<typeof addEventListener>) => {
    registered.add(input[1]);
    addEventListener.apply(signal, input);
  };
  signal.removeEventListener = (...input: Parameters<typeof removeEventListener>) => {
    registered.delete(input[1]);
    removeEventListener.apply(signal, input);
  };
  return { signal, listeners: () => registered.size };
}
