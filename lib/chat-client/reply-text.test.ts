import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../testing/unit/cases.ts";
import { aTurn } from "../chat-api/testing/builders.ts";
import type { StreamedEvent } from "./parser.ts";
import { ReplyText } from "./reply-text.ts";
import { aStart, textOf } from "./testing/streams.ts";

const start = (replyId = "reply_1"): StreamedEvent => aStart({ replyId });
const delta = (text: string): StreamedEvent => ({ type: "delta", text });
const done = (text: string): StreamedEvent => ({ type: "done", item: aTurn(text) });

/** The events that a reader is shown for these attempts. */
function show(attempts: readonly (readonly StreamedEvent[])[]): StreamedEvent[] {
  const shown: StreamedEvent[] = [];
  const reply = new ReplyText((event) => shown.push(event));
  for (const events of attempts) {
    for (const event of events) reply.next(event);
  }
  return shown;
}

test("keeps the shown text when an attempt ends before it has repeated all of it", () => {
  const events = show([
    [start(), delta("We deliver")],
    [start(), delta("We"), delta(" d")],
    [start()],
    [],
    [start(), delta("We d"), delta("eliver to"), done("We deliver to")],
  ]);
  expect(events).toEqual([start(), delta("We deliver"), delta(" to"), done("We deliver to")]);
});

test("treats a final text shorter than the shown text as a different text", () => {
  expect(
    show([
      [start(), delta("Yes, we")],
      [start(), delta("Yes"), done("Yes")],
    ]),
  ).toEqual([start(), delta("Yes, we"), start(), delta("Yes"), done("Yes")]);
});

test("shows a new start for another reply, even with the same text", () => {
  expect(
    show([
      [start("a"), delta("We")],
      [start("b"), delta("We"), done("We")],
    ]),
  ).toEqual([start("a"), delta("We"), start("b"), delta("We"), done("We")]);
});

test("shows nothing for an empty delta", () => {
  expect(show([[start(), delta(""), delta("a"), delta(""), done("a")]])).toEqual([
    start(),
    delta("a"),
    done("a"),
  ]);
});

test("ends with the last attempt's text, each character once", { timeout: 60_000 }, () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "🙂"), maxLength: 4 }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 5 }), (attempts) => {
      const last = attempts.at(-1)?.join("") ?? "";
      const events = show(
        attempts.map((parts, index) => [
          start(),
          ...parts.map(delta),
          ...(index === attempts.length - 1 ? [done(last)] : []),
        ]),
      );
      expect(textOf(events)).toBe(last);
      expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
    }),
    { numRuns: cases(500) },
  );
});
