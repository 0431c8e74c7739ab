import { expect, test } from "vitest";
import type { TurnEvent } from "#lib/chat-api/turn-events.ts";
import { neverKilled } from "../kill-points.ts";
import { readTurnStream } from "../testing/read-turn-stream.ts";
import { turnStreamResponse } from "./encode-turn-stream.ts";

test("stops reading events when the client disconnects", async () => {
  let asked = 0;
  async function* events(): AsyncGenerator<TurnEvent, void> {
    for (;;) {
      asked += 1;
      yield { type: "delta", text: "x" };
    }
  }
  let hasLeft = false;
  const response = turnStreamResponse(200, events(), {
    onLeave: () => {
      hasLeft = true;
    },
    reach: neverKilled,
    keepAliveInterval: 15_000,
  });
  await readTurnStream(response, (read) => read.length < 3);
  expect(hasLeft).toBe(true);
  expect(asked).toBeLessThanOrEqual(4);
});
