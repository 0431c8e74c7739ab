import { expect, test } from "vitest";
import type { TurnEvent } from "#lib/chat-api/turn-events.ts";
import { neverKilled } from "../kill-points.ts";
import { readTurnStream } from "../testing/read-turn-stream.ts";
import { gate } from "../testing/scripted-agent.ts";
import { turnStreamResponse } from "./encode-turn-stream.ts";

test("sends a comment in each interval while it waits for an event", async () => {
  const { opened, open } = gate();
  async function* events(): AsyncGenerator<TurnEvent, void> {
    await opened;
    yield { type: "delta", text: "late" };
  }
  const response = turnStreamResponse(201, events(), {
    onLeave: () => undefined,
    reach: neverKilled,
    keepAliveInterval: 5,
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  for (let comment = 0; comment < 3; comment++)
    expect(decoder.decode((await reader?.read())?.value)).toBe(": keep-alive\n\n");
  open();
  let text = "";
  while (!text.includes("event:")) text = decoder.decode((await reader?.read())?.value);
  expect(text).toBe('event: delta\ndata: {"text":"late"}\n\n');
});

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
