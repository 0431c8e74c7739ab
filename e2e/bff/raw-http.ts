/** Raw HTTP over a socket, for requests that no client would send. */
import { rawRequest } from "../../testing/local-server.ts";
import { exchangeBytes, statusOf } from "../contract/support/http.ts";

/** `status` is 0 when the server closed the connection without a response; `text` is all received bytes. */
export async function sendRaw(origin: string, bytes: string): Promise<{ status: number; text: string }> {
  // Other tests may keep the server busy.
  const text = await exchangeBytes(new URL(origin), [bytes], { timeoutMilliseconds: 20_000 });
  return { status: statusOf(text) ?? 0, text };
}

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request that is well-formed except for the test's own changes. */
export function requestTo(
  origin: string,
  { method = "GET", path, headers = {}, body = "" }: RawRequest,
): string {
  const all = {
    host: new URL(origin).host,
    connection: "close",
    ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  return rawRequest(method, path, all, body);
}
