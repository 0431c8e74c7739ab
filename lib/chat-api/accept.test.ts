/** Content negotiation. `e2e/contract/accept.spec.ts` covers the channel over HTTP. */
import { expect, test } from "vitest";
import { wantsEventStream } from "./parse-request.ts";

type Outcome = "json" | "stream" | 406;

function outcomeOf(accept: string | null, streamRanges?: string[]): Outcome {
  try {
    return wantsEventStream(accept, streamRanges) ? "stream" : "json";
  } catch (error) {
    expect(error).toMatchObject({ code: "unsupported_accept" });
    return 406;
  }
}

// The ranges that the channel passes: with them a wildcard can select a stream.
const streamRanges = ["text/event-stream", "text/*", "*/*"];

test.each<[accept: string | null, expected: Outcome, ofChannel?: Outcome]>([
  [null, "json"],
  ["", "json"],
  ["*/*", "json"],
  ["application/*", "json"],
  ["application/json, text/plain", "json"],
  ["TEXT/Event-Stream", "stream"],
  ["text/event-stream, */*", "stream"],
  ["text/event-stream, application/json", "stream"],
  ["application/json, text/event-stream", "stream"],
  ["text/event-stream;q=0.5, application/json", "json"],
  ["application/json, text/event-stream;q=0.5", "json"],
  ["text/event-stream;q=0.5, application/json;q=0.1", "stream"],
  ["text/event-stream, application/json;q=0.9", "stream"],
  ["text/event-stream;q=0, application/json", "json"],
  ["text/event-stream;q=0, */*", "json"],
  ["text/event-stream;q=0", 406],
  ["text/event-stream;q=0, application/json;q=0", 406],
  ["*/*;q=0", 406],
  ["image/*", 406],
  ["text/html", 406],
  ["application/problem+json", 406],
  ["text/event-streams", 406],
  ["json", 406],
  ["text/event-stream;q=2", 406],
  ["text/*", 406, "stream"],
  ["application/json;q=0, */*", 406, "stream"],
])("Accept %j selects %s", (accept, expected, ofChannel = expected) => {
  expect(outcomeOf(accept)).toBe(expected);
  expect(outcomeOf(accept, streamRanges)).toBe(ofChannel);
});
