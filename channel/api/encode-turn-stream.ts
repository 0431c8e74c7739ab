/** Encodes a reply as an event stream (docs/chat-api.md, "The turn stream"). */
import { setTimeout as pause } from "node:timers/promises";
import {
  encodeTurnEvent,
  eventStreamType,
  keepAliveComment,
  type TurnEvent,
} from "#lib/chat-api/turn-events.ts";
import type { ReachKillPoint } from "../kill-points.ts";

/** Pause in milliseconds between half an event and the kill point, so that the half leaves the process. */
const halfEventPause = 50;

const encoder = new TextEncoder();

/**
 * Streams events as they come, and a comment line in each interval. Pull-driven: no event is produced before
 * the reader asks for it. When the reader disconnects, `onLeave` is called and reading stops.
 */
export function turnStreamResponse(
  status: 200 | 201,
  events: AsyncIterator<TurnEvent, void>,
  options: {
    onLeave: () => void;
    reach: ReachKillPoint;
    /** Milliseconds. */
    keepAliveInterval: number;
  },
): Response {
  const { onLeave, reach, keepAliveInterval } = options;
  /** The pending event; kept while a comment line goes out first. */
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
        if (reach.armed === "inside-done" && first.value.type === "done") {
          controller.enqueue(bytes.subarray(0, bytes.length / 2));
          await pause(halfEventPause);
          reach("inside-done");
        }
        controller.enqueue(bytes);
        // Closes the stream at once, so that its last event and its end leave in one packet.
        if (first.value.type === "done" || first.value.type === "error") {
          controller.close();
          await events.return?.();
        }
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
      // A proxy that compresses or buffers would delay the text.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}
