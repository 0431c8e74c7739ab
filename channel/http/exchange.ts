/** A request and its response, without secrets, while the lab is on. */
import type { Context } from "hono";
import { isLoopback } from "../loopback.ts";

export interface Exchange {
  url: string;
  request: { headers: Record<string, string>; body: string };
  response: { headers: Record<string, string>; body: string };
}

/** UTF-16 code units of a body that are kept. */
const maxBody = 64 * 1024;

type Body = Uint8Array | string | undefined;

/** The exchange as it begins. The request's body appears once it has been read. */
export function openExchange({ url, headers }: Request, requestBody: () => Body): Exchange {
  const request = {
    headers: headersOf(headers),
    get body() {
      const body = requestBody() ?? "";
      return shortened(typeof body === "string" ? body : new TextDecoder().decode(body));
    },
  };
  return { url, request, response: { headers: {}, body: "" } };
}

/**
 * Records the exchange. A response's body is complete once the response has ended: a stream's text grows with
 * it.
 */
export async function recordExchange(context: Context, requestBody: Body): Promise<Exchange> {
  const { url, request } = openExchange(context.req.raw, () => requestBody);
  const response = { headers: headersOf(context.res.headers), body: "" };
  const exchange: Exchange = { url, request: { ...request }, response };
  const type = context.res.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) {
    exchange.response.body = shortened(await context.res.clone().text());
  } else if (type.startsWith("text/event-stream") && context.res.body !== null) {
    const decoder = new TextDecoder();
    const copied = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        exchange.response.body = shortened(exchange.response.body + decoder.decode(chunk, { stream: true }));
        controller.enqueue(chunk);
      },
    });
    context.res = new Response(context.res.body.pipeThrough(copied), context.res);
  }
  return exchange;
}

function headersOf(headers: Headers): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of headers) shown[name] = isSecret(name) ? masked(value) : value;
  return shown;
}

function isSecret(name: string): boolean {
  return name === "authorization" || name === "cookie" || name === "set-cookie";
}

/** Keeps the scheme and the key's prefix, which say what kind of key was sent. */
function masked(value: string): string {
  return /^(?:[A-Za-z]+ +)?(?:ck_|tk_)?/.exec(value)?.[0].concat("…") ?? "…";
}

/** A key, also where an escaped character before it ends in a letter or digit, as in `%20ck_…`. */
const keyForm = /(\b[ct]k(?:_|%5F)|[ct]k(?:_|%5F)(?=[\w.~+/=%-]{16}))[\w.~+/=%-]+/gi;

/** Removes keys that a caller put where none belongs: into an address, another header, a body. */
export function withoutKeys<T extends Exchange | string>(record: T): T {
  const text = JSON.stringify(record).replaceAll(keyForm, "$1…");
  // The same record: JSON escapes no character of a key.
  return JSON.parse(text) as T;
}

function shortened(body: string): string {
  return body.length <= maxBody ? body : `${body.slice(0, maxBody)}…`;
}

/** The request as a command of a shell, with the key as a variable. */
export function curlOf({ method, exchange }: { method: string; exchange: Exchange }): string {
  const sent = Object.entries(exchange.request.headers).filter(([name]) => sentByCaller.test(name));
  const lines = [
    `curl -N -X ${method} ${addressOf(exchange.url)}`,
    '-H "Authorization: Bearer $CHAT_KEY"',
    ...sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(exchange.request.body === "" ? [] : [`--data-raw ${quoted(exchange.request.body)}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Anybody can name a host in `Host`: the key goes to this machine, or where the reader says. */
function addressOf(url: string): string {
  const { hostname, pathname, search } = new URL(url);
  return isLoopback(hostname) ? quoted(url) : `"$CHAT_BASE_URL"${quoted(pathname + search)}`;
}

const sentByCaller = /^(?:content-type|accept|idempotency-key|last-event-id|origin)$/;

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
