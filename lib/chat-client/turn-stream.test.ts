import { expect, test } from "vitest";
import { createChatClient } from "./client.ts";
import { chatId, idempotencyKey } from "./testing/builders.ts";
import {
  aStream,
  collect,
  encodeStream,
  scriptedFetch,
  streamResponse,
  testOptions,
  textOf,
} from "./testing/streams.ts";

const parts = ["We deliver ", "to Ireland 🇮🇪 ", "within ", "three days — ", "ohne Aufpreis. 你好"];
const reply = parts.join("");
const recorded = encodeStream(aStream(parts));

function open(answers: Parameters<typeof scriptedFetch>[0]) {
  const { fetch, sent } = scriptedFetch(answers);
  const { options, waits, clock } = testOptions({ fetch });
  const client = createChatClient(options);
  const stream = client.streamMessage(chatId, { text: "Do you deliver to Ireland?" }, { idempotencyKey });
  return { stream, sent, waits, clock };
}

test.each(["end", "error"] as const)(
  "a stream cut after any byte (%s) is taken up without loss or repetition",
  async (ending) => {
    for (let cut = 0; cut < recorded.length; cut += 1) {
      const { stream, sent } = open([
        () => streamResponse([recorded.subarray(0, cut)], { ending }),
        () => streamResponse([recorded], { status: 200 }),
      ]);
      const events = await collect(stream);
      expect(textOf(events)).toBe(reply);
      expect(events.filter((event) => event.type === "start")).toHaveLength(1);
      expect(events.at(-1)?.type).toBe("done");
      const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
      // The very last line break may be missing: then the last event has not been dispatched.
      expect(keys).toEqual([idempotencyKey, idempotencyKey]);
    }
  },
);
