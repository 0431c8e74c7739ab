/** Tells load balancers whether the process is alive and can serve customers. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { jsonResponse } from "../http/responses.ts";
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
