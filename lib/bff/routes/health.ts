/** Tells load balancers and operators whether the process is alive and can serve, and gives its metrics. */
import { hash, timingSafeEqual } from "node:crypto";
import { ChatApiError } from "../../chat-api/errors.ts";
import { jsonResponse, wholeResponse } from "../http/responses.ts";
import { publicRead, route } from "../http/route.ts";
import { streamHeaders } from "../relay/turn-stream.ts";

export const live = route({ ...publicRead, name: "live" }, async () => jsonResponse(200, { status: "live" }));

/** The response does not say why it is not ready: the log has the reason and its remedy. */
export const ready = route({ ...publicRead, name: "ready" }, async ({ bff }) => {
  if (await bff.readiness.check()) return jsonResponse(200, { status: "ready" });
  throw new ChatApiError("chat_unavailable", { retryAfterSeconds: 5 });
});

/** Milliseconds between the two comments of the stream below. */
export const streamPause = 500;

/**
 * A stream of two comments, with a turn stream's headers and without a turn. Through a proxy that buffers,
 * both arrive together: `npm run doctor` watches the time between them.
 */
export const stream = route({ ...publicRead, name: "stream" }, async () => {
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(": first\n\n"));
      timer = setTimeout(() => {
        controller.enqueue(Buffer.from(": second\n\n"));
        controller.close();
      }, streamPause);
    },
    cancel: () => clearTimeout(timer),
  });
  return new Response(body, { headers: streamHeaders });
});

/** Metrics for Prometheus. Without `METRICS_TOKEN` this path answers 404. */
export const metrics = route({ ...publicRead, name: "metrics" }, async ({ bff, request }) => {
  const { metricsToken: token } = bff.config;
  // The same response without a configured token and with a wrong one, so that the path reveals nothing and
  // costs nothing.
  const exposed = token !== undefined && isBearer(request, token) ? bff.metrics?.expose() : undefined;
  if (exposed === undefined) throw new ChatApiError("not_found");
  const { type, text } = await exposed;
  return wholeResponse(text, { "Content-Type": type });
});

function isBearer(request: Request, token: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(request.headers.get("authorization") ?? ""), digest(`Bearer ${token}`));
}
