/** Sends requests with `fetch`: in browsers, and on servers without an HTTP client of their own. */
import type { BodyConsumer, SendRequest } from "./exchange.ts";

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export function fetchRequests(fetch: Fetch): SendRequest {
  return ({ address, method, headers, body }) => {
    const controller = new AbortController();
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    /** Both are set during a pause. */
    let paused: Promise<void> | undefined;
    let endPause: (() => void) | undefined;

    async function pump(sink: BodyConsumer) {
      try {
        for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
          sink.take(piece.value);
          await paused;
        }
        sink.end();
      } catch (error) {
        sink.end(error);
      }
    }

    return {
      response: fetch(address, {
        method,
        headers: new Headers(headers),
        body: typeof body === "object" && !(body instanceof FormData) ? new Blob([...body]) : (body ?? null),
        // Following a redirect would send the key and the body elsewhere.
        redirect: "manual",
        cache: "no-store",
        signal: controller.signal,
      }).then((response) => {
        reader = response.body?.getReader();
        return {
          status: response.status,
          isRedirect: response.type === "opaqueredirect",
          headers: response.headers,
          flow: (sink) => void pump(sink),
          pause() {
            paused ??= new Promise((resolve) => {
              endPause = resolve;
            });
          },
          resume() {
            endPause?.();
            paused = undefined;
          },
        };
      }),
      abort() {
        controller.abort();
        // A body need not listen to its request's signal; cancelling ends its pending read as well. The
        // response is abandoned, so a failed cancellation does not matter.
        reader?.cancel().catch(() => undefined);
      },
    };
  };
}
