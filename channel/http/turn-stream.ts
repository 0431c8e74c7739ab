/** The streamed reply (specification, "Events"). */
import { setTimeout as pause } from "node:timers/promises";
import { limits } from "#lib/chat-api/limits.ts";
import {
  encodeTurnEvent,
  eventStreamType,
  keepAliveComment,
  type TurnEvent,
} from "#lib/chat-api/turn-events.ts";
import type { ReachKillPoint } from "../kill-points.ts";

/** Time for half an event to get out of the process. */
const halfEventPause = 50;

const encoder = new TextEncoder();

/**
 * Streams the events as they come, with a comment in each interval. Nothing is produced that the reader has not asked
 * for; when it leaves, `onLeave` is called and the events are read no more.
 */
export function turnStreamResponse(
  status: 200 | 201,
  events: AsyncIterator<TurnEvent, void>,
  options: {
    onLeave: () => void;
    reach: ReachKillPoint;
    keepAliveInterval?: number;
  },
): Response {
  const { onLeave, reach, keepAliveInterval = limits.keepAliveInterval } = options;
  /** The event that is waited for; kept while a comment goes out first. */
  let next: Promise<IteratorResult<TurnEvent, void>> | undefined;
  let comment = nextComment();

  function nextComment() {
    return pause(keepAliveInterval, "comment" as const, { ref: false });
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= events.next();
        const first = await Promise.race([next, comment]);
        if (first === "comment") {
          comment = nextComment();
          controller.enqueue(encoder.encode(keepAliveComment));
          return;
        }
        next = undefined;
        if (first.done === true) {
          controller.close();
          return;
        }
        const bytes = encoder.encode(encodeTurnEvent(first.value));
        if (reach.armed === "K7" && first.value.type === "done") {
          controller.enqueue(bytes.subarray(0, bytes.length / 2));
          await pause(halfEventPause);
          reach("K7");
        }
        controller.enqueue(bytes);
      },
      cancel() {
        onLeave();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    status,
    headers: {
      "content-type": `${eventStreamType}; charset=utf-8`,
      // A proxy that compresses or gathers would hold the words back.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}
